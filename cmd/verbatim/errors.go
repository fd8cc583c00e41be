package main

import "syscall"

// errNoSpace is a full disk: no other book would fare better.
const errNoSpace = syscall.ENOSPC
