package similar_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestWordsOfChangeSupersede(t *testing.T) {
	for _, tt := range []struct{ older, newer string }{
		{"The meeting is on Monday", "The meeting moved to Tuesday"},
		{"The meeting is on Monday.", "The meeting has been moved to Tuesday."},
		{"The meeting is on Monday at 10", "The meeting was rescheduled to Tuesday at 11"},
		{"The yoga class starts at 18:00", "The yoga class now starts at 19:00"},
		{"The staging port is 8080", "The staging port changed to 8081"},
		{"the staging port is 8080", "the staging port was changed from 8080 to 8081"},
		{"Anna is vegetarian", "Anna is no longer vegetarian"},
		{"Anna works at Siemens", "Anna no longer works at Siemens"},
		{"Anna works at Siemens", "Anna now works at Bosch"},
		{"Anna works for Siemens", "Anna now works for Bosch"},
		{"We keep logs for 30 days", "We now keep logs for 90 days"},
		{"Anna arbeitet für Siemens", "Anna arbeitet jetzt für Bosch"},
		{"Der Bus fährt zum Hafen", "Der Bus fährt jetzt zum Markt"},
		{"I am reading Dune", "I am now reading Emma"},
		{"Anna is learning Polish", "Anna is now learning Czech"},
		{"the team uses Slack for chat", "the team now uses Zoom for chat"},
		{"Anna lives in Graz", "Anna moved to Linz"},
		{"I live in Graz", "I moved to Linz"},
		{"The rent is 900 euros", "The rent went up to 950 euros"},
		{"The deadline is 3 April", "The deadline was extended to 10 April"},
		{"We use Jenkins for CI", "We switched from Jenkins to GitHub Actions"},
		{"We deploy on Fridays", "We no longer deploy on Fridays"},
		{"The bins go out on Tuesday", "The bins go out on Wednesday from now on"},
		{"Das Treffen ist am Montag", "Das Treffen wurde auf Dienstag verschoben"},
		{"Das Treffen ist am Montag", "Das Treffen ist jetzt am Dienstag"},
		{"Das Treffen ist am Montag", "Das Treffen ist am Dienstag statt am Montag"},
		{"Die Miete beträgt 900 Euro", "Die Miete wurde auf 950 Euro erhöht"},
		{"Anna wohnt in Graz", "Anna ist nach Linz gezogen"},
		{"Anna ist Vegetarierin", "Anna ist keine Vegetarierin mehr"},
		{"Der Kurs beginnt um 18 Uhr", "Der Kurs beginnt ab jetzt um 19 Uhr"},
		{"La réunion est lundi", "La réunion est passée à mardi"},
		{"La réunion est le lundi", "La réunion a été déplacée au mardi"},
		{"Le loyer est de 900 euros", "Le loyer est passé à 950 euros"},
		{"Anna habite à Lyon", "Anna a déménagé à Nantes"},
		{"Anna est végétarienne", "Anna n'est plus végétarienne"},
		{"La reunión es el lunes", "La reunión es ahora el martes"},
		{"La reunión es el lunes", "La reunión se ha movido al martes"},
		{"El alquiler es de 900 euros", "El alquiler ahora es de 950 euros"},
		{"El alquiler es de 900 euros", "El alquiler subió a 950 euros"},
		{"Ana vive en Madrid", "Ana se mudó a Sevilla"},
		{"Ana es vegetariana", "Ana ya no es vegetariana"},
		{"会议在星期一", "会议改到星期二"},
		{"会议在星期一", "会议现在在星期二"},
		{"房租是900元", "房租涨到950元"},
		{"安娜住在北京", "安娜搬到上海了"},
		{"安娜吃素", "安娜不再吃素了"},
		{"会議は月曜日です", "会議は火曜日に変更になりました"},
		{"会議は月曜日です", "会議は今は火曜日です"},
		{"家賃は9万円です", "家賃は9万5千円に上がりました"},
		{"アンナは東京に住んでいます", "アンナは大阪に引っ越しました"},
	} {
		if !similar.Supersedes(tt.newer, tt.older) {
			t.Errorf("Supersedes(%q, %q) = false", tt.newer, tt.older)
		}
		if similar.Supersedes(tt.newer, tt.newer) {
			t.Errorf("%q supersedes itself", tt.newer)
		}
	}
}

func TestTwoFactsThatBothHoldSupersedeNothing(t *testing.T) {
	for _, tt := range []struct{ older, newer string }{
		{"The meeting is on Monday", "The workshop moved to Tuesday"},
		{"The team meeting is on Monday", "The board meeting moved to Tuesday"},
		{"The meeting is on Monday", "The meeting moved to room 4"},
		{"The meeting is on Monday", "The meeting is also on Tuesday"},
		{"The meeting with Anna is on Monday", "The meeting with Ben moved to Tuesday"},
		{"The meeting is on Monday", "The meeting room moved to the second floor"},
		{"The meeting is on Monday", "Maybe the meeting moves to Tuesday"},
		{"The meeting is on Monday", "The meeting on 3 March moved to Tuesday this week"},
		{"Anna lives in Graz", "Anna moved to the finance team"},
		{"Anna lives in Graz", "Ben moved to Linz"},
		{"Anna works at Siemens", "Anna now plays the cello"},
		{"Anna is vegetarian", "Anna is now a nurse"},
		{"Anna has two cats", "Anna no longer has a car"},
		{"We use Jenkins for CI", "We now use Grafana for dashboards"},
		{"We use Jenkins for CI", "We switched from Slack to Teams"},
		{"the team uses Slack for chat", "the team now uses Zoom for calls"},
		{"das Team nutzt Slack zum Chatten", "das Team nutzt jetzt Zoom für Anrufe"},
		{"das Team nutzt Slack zum Chatten", "das Team nutzt jetzt Zoom zum Telefonieren"},
		{"I am reading Dune", "I am now watching Severance"},
		{"Anna is learning Polish", "Anna is now playing Tetris"},
		{"I'm reading Dune", "I am now watching Severance"},
		{"my older sister is baking with Ben", "my older sister is now rowing with Tom"},
		{"Wir nutzen Slack für den Chat", "Wir nutzen jetzt Zoom für die Anrufe"},
		{"The staging port is 8080", "The production port changed to 8081"},
		{"The staging port is 8080", "The staging server moved to Frankfurt"},
		{"The rent is 900 euros", "The rent of the garage went up to 90 euros"},
		{"My dentist is Dr Weber", "My new doctor is Dr Huber"},
		{"The gym opens at 8", "The gym now closes at 22"},
		{"The car has 5 seats", "The car now has 80,000 km"},
		{"Lena likes tea", "Lena now likes coffee too"},
		{"I am allergic to nuts", "I am now allergic to cats"},
		{"Das Treffen ist am Montag", "Der Workshop wurde auf Dienstag verschoben"},
		{"Anna wohnt in Graz", "Anna ist jetzt Lehrerin"},
		{"Anna arbeitet bei Siemens", "Anna arbeitet jetzt am Dienstag"},
		{"La réunion est lundi", "La réunion de parents est passée à mardi"},
		{"Ana vive en Madrid", "Ana ahora es profesora"},
		{"会议在星期一", "培训改到星期二"},
		{"会议在星期一", "会议现在在三楼"},
		{"项目会议在星期一", "部门会议改到星期二"},
		{"会議は月曜日です", "研修は火曜日に変更になりました"},
		{"アンナは東京に住んでいます", "ベンは大阪に引っ越しました"},
		{"アンナは東京に住んでいます", "アンナは今は先生です"},
		{"The library opens at 9", "The library now opens at 10 on Saturdays"},
		{"The flight leaves at 9:00", "The flight from Oslo now leaves at 10:00"},
		{"Tom's phone number is 030 1111", "Tom's new fax number is 030 2222"},
		{"The project uses Go 1.22", "The other project now uses Go 1.24"},
		{"Our cat is called Mia", "Our new cat is called Leo"},
		{"I have a daughter named Lea", "I now have a son named Max"},
		{"The invoice of March is 90 euros", "The invoice of April went up to 95 euros"},
		{"My dentist is Dr Weber", "My new dentist is Dr Huber"},
		{"The meeting is on Monday", "The meeting on Monday moved to the big room"},
		{"Anna is vegetarian", "Anna is no longer a nurse"},
		{"The shop opens at 9", "The shop now opens at 11 in winter"},
		{"We use Jenkins for CI", "We no longer use Slack"},
		{"The train to Kiel leaves at 9:00", "The train to Husum now leaves at 9:20"},
		{"Ben is allergic to nuts", "Ben is no longer allergic to cats"},
		{"Das Büro in Wien öffnet um 8", "Das Büro in Linz öffnet jetzt um 9"},
		{"La réunion est lundi", "La réunion est aussi mardi"},
		{"La reunión es el lunes", "La reunión de padres se ha movido al martes"},
	} {
		if similar.Supersedes(tt.newer, tt.older) {
			t.Errorf("Supersedes(%q, %q) = true", tt.newer, tt.older)
		}
	}
}
