package recall

func similarity(c *candidate, l lanes) float64 { return unit(0.3*c.text + 0.7*c.vector) }
