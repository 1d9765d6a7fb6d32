package dates

import (
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/calendar"
)

// relativeDates lists the expressions in English, German, Spanish and French.
var relativeDates = []relativeDate{
	{pattern: phrasePattern(`(?:good|every|guten|am|jeden|der|den|las?) (?:morning|morgen|mañanas?)`), span: noTime},
	{pattern: phrasePattern(`today|tonight|this (?:morning|noon|afternoon|evening)|heute(?: morgen| früh| vormittag| mittag| nachmittag| abend| nacht)?|diesen morgen|hoy|esta (?:mañana|tarde|noche)|aujourd'hui|ce (?:matin|midi|soir)|cet(?:te)? après[- ]midi|cette nuit`), span: days(0, 1)},
	{pattern: phrasePattern(`yesterday(?: morning| noon| afternoon| evening)?|last (?:night|evening)|gestern(?: morgen| früh| vormittag| mittag| nachmittag| abend| nacht)?|ayer|anoche|hier(?: matin| soir)?`), span: days(-1, 1)},
	{pattern: phrasePattern(`(?:the )?day before yesterday|vorgestern|anteayer|antier|avant[- ]hier`), span: days(-2, 1)},
	{pattern: phrasePattern(`tomorrow(?: morning| noon| afternoon| evening| night)?|morgen(?: früh| vormittag| mittag| nachmittag| abend| nacht)?|mañana(?: por la (?:mañana|tarde|noche))?|demain(?: matin| midi| soir)?`), span: days(1, 1)},
	{pattern: phrasePattern(`(?:the )?day after tomorrow|übermorgen|pasado mañana|après[- ]demain`), span: days(2, 1)},
	{pattern: phrasePattern(`yesterday (?:and|or) the day before`), span: days(-2, 2)},
	{pattern: phrasePattern(`tomorrow (?:and|or) the day after`), span: days(1, 2)},
	{pattern: phrasePattern(`(?:the )?week before last|vorletzten? woche|la semana antepasada|l'avant-dernière semaine`), span: weeks(-14, 7)},
	{pattern: phrasePattern(`(?:the )?week after next|übernächsten? woche`), span: weeks(14, 7)},
	{pattern: phrasePattern(`(?:the )?weekend before last|vorletztes wochenende`), span: weeks(-9, 2)},
	{pattern: phrasePattern(`(?:the )?month before last|vorletzten monat`), span: months(-2)},
	{pattern: phrasePattern(`this week|(?:in )?dieser woche|diese woche|esta semana|cette semaine`), span: weeks(0, 7)},
	{pattern: phrasePattern(`(?:last|past|previous) week|(?:letzte|vorige|vergangene)[nr]? woche|la semana pasada|la semaine (?:derni[eè]re|pass[eé]e)`), span: weeks(-7, 7)},
	{pattern: phrasePattern(`(?:next|coming) week|(?:nächste|kommende)[nr]? woche|(?:la )?próxima semana|la semana (?:próxima|que viene)|la semaine prochaine`), span: weeks(7, 7)},
	{pattern: phrasePattern(`(?:next|coming) (?:few )?(?:days|weeks)|(?:nächsten|kommenden) (?:tagen?|wochen)|próximas semanas|próximos días|prochaine?s (?:semaines|jours)`), span: days(1, 28)},
	{pattern: phrasePattern(`(?:last|past) weekend|(?:letztes|letzten|vergangenes|vergangenen) wochenende|(?:el )?fin de semana pasado|le week[- ]end dernier`), span: weeks(-2, 2)},
	{pattern: phrasePattern(`(?:this|coming) weekend|(?:dieses|diesem|kommendes|kommenden) wochenende|este fin de semana|ce week[- ]end`), span: weeks(5, 2)},
	{pattern: phrasePattern(`next weekend|(?:nächstes|nächsten) wochenende|(?:el )?próximo fin de semana|le week[- ]end prochain`), span: weeks(12, 2)},
	{pattern: phrasePattern(`this month|diese(?:[nm] monat|s monats)|este mes|ce mois(?:-ci)?`), span: months(0)},
	{pattern: phrasePattern(`(?:last|past|previous) month|(?:letzten|vorigen|vergangenen) monats?|el mes pasado|le mois (?:dernier|passé)`), span: months(-1)},
	{pattern: phrasePattern(`(?:next|coming) month|(?:nächsten|kommenden) monats?|(?:el )?próximo mes|el mes (?:próximo|que viene)|le mois prochain`), span: months(1)},
	{pattern: phrasePattern(`this year|diese[sm] jahr|este año|cette année`), span: years(0)},
	{pattern: phrasePattern(`(?:last|past|previous) year|(?:letzte[sn]|vorige[sn]|vergangene[sn]) jahr|el año pasado|l'(?:année dernière|an dernier)`), span: years(-1)},
	{pattern: phrasePattern(`next year|(?:nächste[sn]|kommende[sn]) jahr|(?:el )?próximo año|el año (?:próximo|que viene)|l'(?:année prochaine|an prochain)`), span: years(1)},
	{pattern: phrasePattern(`(?:last|past|recent) (?:few |couple (?:of )?|several )?days|(?:letzten|vergangenen) (?:paar )?tagen?|(?:últimos|pasados) días|derniers jours|jours derniers`), span: days(-7, 8)},
	{pattern: phrasePattern(`(?:last|past|recent) (?:few |couple (?:of )?|several )?weeks|(?:letzten|vergangenen) (?:paar )?wochen|(?:últimas|pasadas) semanas|dernières semaines`), span: days(-28, 29)},
	{pattern: phrasePattern(`(?:last|past|recent) (?:few |couple (?:of )?|several )?months|(?:letzten|vergangenen) (?:paar )?monaten?|últimos meses|derniers mois`), span: days(-92, 93)},
	{pattern: phrasePattern(`(?:a few|a couple of|several) weeks ago|vor ein paar wochen|hace unas semanas|il y a quelques semaines`), span: days(-28, 22)},
	{pattern: phrasePattern(`a few days ago|a couple of days ago|several days ago|vor ein paar tagen|hace unos días|il y a quelques jours`), span: days(-7, 6)},
	{pattern: phrasePattern(`(\d+) days? ago|vor (\d+) tag(?:en)?|hace (\d+) días?|il y a (\d+) jours?`), span: func(t time.Time, n int) Span { return calendar.Days(t, -n, 1) }, counted: true},
	{pattern: phrasePattern(`(\d+) weeks? ago today|today (\d+) weeks? ago|heute vor (\d+) wochen?|hoy hace (\d+) semanas?|il y a (\d+) semaines? aujourd'hui`), span: func(t time.Time, n int) Span { return calendar.Days(t, -7*n, 1) }},
	{pattern: phrasePattern(`(\d+) weeks? ago|vor (\d+) wochen?|hace (\d+) semanas?|il y a (\d+) semaines?`), span: func(t time.Time, n int) Span { return calendar.Days(calendar.StartOfWeek(t), -7*n, 7) }},
	{pattern: phrasePattern(`(?:a )?fortnight ago|vor vierzehn tagen|hace quince días|il y a quinze jours`), span: weeks(-14, 7)},
	{pattern: phrasePattern(`half (?:a|1) year ago|vor (?:einem )?halben jahr|hace medio año|il y a une demi-année`), span: func(t time.Time, _ int) Span { return calendar.MonthsAgo(t, 6) }},
	{pattern: phrasePattern(`(?:about |around |at )?this time last year|letztes jahr um diese zeit|l'année dernière à la même époque`), span: func(t time.Time, _ int) Span { return calendar.YearsAgo(t, 1) }},
	{pattern: phrasePattern(`(\d+) months? ago|vor (\d+) monat(?:en)?|hace (\d+) mes(?:es)?|il y a (\d+) mois`), span: calendar.MonthsAgo},
	{pattern: phrasePattern(`(\d+) years? ago|vor (\d+) jahr(?:en)?|hace (\d+) años?|il y a (\d+) ann?(?:ée)?s?`), span: calendar.YearsAgo},
	{pattern: phrasePattern(`in (\d+) days?|in (\d+) tag(?:en)?|dentro de (\d+) días?|dans (\d+) jours?`), span: func(t time.Time, n int) Span { return calendar.Days(t, n, 1) }, counted: true},
	{pattern: phrasePattern(`in (\d+) weeks?|in (\d+) wochen?|dentro de (\d+) semanas?|dans (\d+) semaines?`), span: func(t time.Time, n int) Span { return calendar.Days(calendar.StartOfWeek(t), 7*n, 7) }},
	{pattern: phrasePattern(`(?:last|past) (\d+) days?|letzten (\d+) tagen?|últimos (\d+) días|derniers (\d+) jours`), span: func(t time.Time, n int) Span { return calendar.Days(t, -n, n+1) }},
	{pattern: phrasePattern(`(?:last|past) (\d+) weeks?|letzten (\d+) wochen|últimas (\d+) semanas`), span: func(t time.Time, n int) Span { return calendar.Days(t, -7*n, 7*n+1) }},
	{pattern: phrasePattern(`(?:next|coming) (\d+) days?|(?:nächsten|kommenden) (\d+) tagen?|próximos (\d+) días|prochains (\d+) jours`), span: func(t time.Time, n int) Span { return calendar.Days(t, 0, n+1) }},
	{pattern: phrasePattern(`(?:next|coming) (\d+) weeks?|(?:nächsten|kommenden) (\d+) wochen|próximas (\d+) semanas|prochaines (\d+) semaines`), span: func(t time.Time, n int) Span { return calendar.Days(t, 0, 7*n+1) }},
}

// cjkDates lists the expressions in Chinese and Japanese, which have no spaces.
var cjkDates = []relativeDate{
	{pattern: lazyregexp.New(`一昨日|おととい|(?:^|[^大])前天`), span: days(-2, 1)},
	{pattern: lazyregexp.New(`(?:^|[^一])昨日|きのう|昨天|昨晚|昨夜`), span: days(-1, 1)},
	{pattern: lazyregexp.New(`今日|きょう|今天|今晚|今朝|今早`), span: days(0, 1)},
	{pattern: lazyregexp.New(`明日|あした|明天`), span: days(1, 1)},
	{pattern: lazyregexp.New(`先週|上周|上週|上个?星期|上個星期`), span: weeks(-7, 7)},
	{pattern: lazyregexp.New(`今週|这周|本周|這週|本週|这个?星期`), span: weeks(0, 7)},
	{pattern: lazyregexp.New(`来週|下周|下週|下个?星期|下個星期`), span: weeks(7, 7)},
	{pattern: lazyregexp.New(`先月|上个月|上個月|上月`), span: months(-1)},
	{pattern: lazyregexp.New(`今月|这个月|這個月|本月`), span: months(0)},
	{pattern: lazyregexp.New(`来月|下个月|下個月|下月`), span: months(1)},
	{pattern: lazyregexp.New(`去年|昨年`), span: years(-1)},
	{pattern: lazyregexp.New(`今年`), span: years(0)},
	{pattern: lazyregexp.New(`来年|明年`), span: years(1)},
	{pattern: lazyregexp.New(`(\d+)\s*[日天]前`), span: func(t time.Time, n int) Span { return calendar.Days(t, -n, 1) }, counted: true},
	{pattern: lazyregexp.New(`(\d+)\s*(?:週間|周|週|个星期)前`), span: func(t time.Time, n int) Span { return calendar.Days(calendar.StartOfWeek(t), -7*n, 7) }},
	{pattern: lazyregexp.New(`(\d+)\s*(?:[ヶかカケ]月|个月|個月)前`), span: calendar.MonthsAgo},
	{pattern: lazyregexp.New(`(\d+)\s*年前`), span: calendar.YearsAgo},
}

// noTime marks an expression that only looks like a time.
func noTime(time.Time, int) Span { return Span{} }

// days returns n days from an offset to today on.
func days(offset, n int) func(time.Time, int) Span {
	return func(t time.Time, _ int) Span { return calendar.Days(t, offset, n) }
}

// weeks returns n days from an offset to the Monday of this week on.
func weeks(offset, n int) func(time.Time, int) Span {
	return func(t time.Time, _ int) Span { return calendar.Days(calendar.StartOfWeek(t), offset, n) }
}

func months(offset int) func(time.Time, int) Span {
	return func(t time.Time, _ int) Span { return calendar.Month(t, offset) }
}

func years(offset int) func(time.Time, int) Span {
	return func(t time.Time, _ int) Span { return calendar.Year(t, offset) }
}
