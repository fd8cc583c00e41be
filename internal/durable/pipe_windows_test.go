package durable_test

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
