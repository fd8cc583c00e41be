package chat

import (
	"context"
	"net"
	"net/http"
)

// Dial makes the client connect through dial: to servers in memory.
func (c *Client) Dial(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	c.http.Transport.(*http.Transport).DialContext = dial
}

// Close closes the idle connections, so that their goroutines end.
func (c *Client) Close() { c.http.CloseIdleConnections() }
