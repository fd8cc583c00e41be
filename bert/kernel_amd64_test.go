package bert

// otherBytes returns what a kernel would use without VNNI.
func otherBytes(k *kernel) []*bytesKernel {
	switch k.bytes {
	case avx512VNNI:
		return []*bytesKernel{avx512.bytes}
	case avxVNNI:
		return []*bytesKernel{avx2.bytes}
	}
	return nil
}
