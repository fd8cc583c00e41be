package fake

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// InMemory starts a server that only this process can reach, through Dial. Its
// connections are pipes, so it also works inside a testing/synctest bubble, where
// time is fake. Close it.
func InMemory(models ...string) *Server {
	address := fmt.Sprintf("127.0.0.1:%d", nextPort.Add(1))
	l := &listener{address: pipeAddress(address), conns: make(chan net.Conn), closed: make(chan struct{})}
	listeners.Store(address, l)
	return serve(l, models)
}

// Dial connects to a server in memory. No other server can be reached.
func Dial(ctx context.Context, network, address string) (net.Conn, error) {
	refused := &net.OpError{Op: "dial", Net: network, Addr: pipeAddress(address), Err: syscall.ECONNREFUSED}
	l, running := listeners.Load(address)
	if !running {
		return nil, refused
	}
	client, server := net.Pipe()
	select {
	case l.(*listener).conns <- server:
		return client, nil
	case <-l.(*listener).closed:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var (
	listeners sync.Map // by address
	nextPort  atomic.Int32
)

// A listener accepts pipes from Dial.
type listener struct {
	address pipeAddress
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		listeners.Delete(string(l.address))
		close(l.closed)
	})
	return nil
}

func (l *listener) Addr() net.Addr { return l.address }

type pipeAddress string

func (pipeAddress) Network() string  { return "pipe" }
func (a pipeAddress) String() string { return string(a) }
