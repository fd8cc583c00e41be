package main

import (
	"bufio"
	"io"

	"verbatim/internal/durable"
)

// answering joins an input to the output that answers it. Before more is read,
// what has been answered is sent: the program that asks may be waiting for it.
// The size is the one that verbatim.Write wants, which so adds no buffer of its
// own.
func answering(in io.Reader, out io.Writer) (io.Reader, *bufio.Writer) {
	answers := bufio.NewWriterSize(out, 1<<16)
	return &asked{in, answers}, answers
}

type asked struct {
	in      io.Reader
	answers *bufio.Writer
}

func (a *asked) Read(p []byte) (int, error) {
	if err := a.answers.Flush(); err != nil {
		return 0, durable.CannotWrite("the answers", err)
	}
	return a.in.Read(p)
}
