package workspace

// OnStage calls f whenever a stage of work on a book begins.
func (ws *Workspace) OnStage(f func(barcode, stage string)) { ws.enter = f }
