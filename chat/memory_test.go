package chat_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"

	"verbatim/chat/fake"
)

// startInMemory starts a server that only this process can reach, through dial. Its
// connections are pipes, so it also works inside a testing/synctest bubble, where
// time is fake. Close it.
func startInMemory(models ...string) *fake.Server {
	address := fmt.Sprintf("127.0.0.1:%d", nextPort.Add(1))
	s := fake.At(address, models...)
	inMemory.Store(address, s)
	return s
}

var (
	inMemory sync.Map // *fake.Server by address
	nextPort atomic.Int32
)

// dial connects to a server in memory. No other server can be reached.
func dial(_ context.Context, network, address string) (net.Conn, error) {
	client, server := net.Pipe()
	if s, running := inMemory.Load(address); running {
		if s.(*fake.Server).Serve(&single{server}) == io.EOF { // at once: there is one connection
			return client, nil
		}
	}
	return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
}

// A single is a listener with one connection.
type single struct{ conn net.Conn }

func (l *single) Accept() (net.Conn, error) {
	conn := l.conn
	if conn == nil {
		return nil, io.EOF
	}
	l.conn = nil
	return conn, nil
}

func (l *single) Close() error   { return nil }
func (l *single) Addr() net.Addr { return &net.TCPAddr{} }
