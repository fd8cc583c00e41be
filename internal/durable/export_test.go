package durable

// WatchFolders calls see with each folder that is synced, until the function that
// it returns is called.
func WatchFolders(see func(dir string)) (end func()) {
	sync := syncFolder
	syncFolder = func(dir string) error {
		see(dir)
		return sync(dir)
	}
	return func() { syncFolder = sync }
}
