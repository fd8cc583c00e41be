package bert

func fast() []*kernel { return nil }
