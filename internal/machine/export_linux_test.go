package machine

// What is tested with files of the test's own.
var (
	OnBatteryIn = onBattery
	GroupLimits = groupLimits
)
