import AuthorizationCore
import DeviceCore
import Simulation

extension LineBytes {
    /// The type of a record, its closing quote, and its fields.
    mutating func put(
        _ content: RecordContent, names: NameTable, scripts: [String], choiceLists: ChoiceLists
    ) {
        switch content {
        case .installed: put("installed\"")
        case .opened(let launch): put("opened\",\"launch\":", word: launch.rawValue)
        case .closed(let closing): put("closed\",\"to\":", word: closing.rawValue)
        case .tapped(let feature): put("tapped\",\"feature\":", name: names[feature])
        case .feature(let feature, let outcome):
            put("feature\",\"feature\":", name: names[feature])
            put(",\"outcome\":", name: names[outcome])
        case .primer(let id, let answer):
            put("primer\",\"id\":", name: names[id])
            put(",\"answer\":", word: answer.rawValue)
        case .settingsAlert(let answer):
            put("settings_alert\",\"answer\":", word: answer.rawValue)
        case .prompt(let prompt): put(prompt, choiceLists: choiceLists)
        case .answer(let answer): put(answer)
        case .unanswered(let kind, let rule):
            put("answer\",\"kind\":", word: kind.rawValue)
            put(",\"choice\":null,\"rule\":", word: rule.rawValue)
        case .status(let visible, let trueStatus, let rule):
            put("status\",\"visible\":", word: visible.rawValue)
            put(",\"true\":", word: trueStatus.rawValue)
            put(",\"rule\":", word: rule.rawValue)
        case .callback(let status, let accuracy):
            put("callback\",\"status\":", word: status.rawValue)
            if let accuracy { put(",\"accuracy\":", word: accuracy.rawValue) }
        case .requestIgnored(let call, let reason, let rule):
            put("request_ignored\",\"call\":", word: call.rawValue)
            put(",\"reason\":", word: reason.rawValue)
            put(",\"rule\":", word: rule.rawValue)
        case .settings(let visit): put(visit)
        case .world(let change): put("world\",\"what\":", word: change.rawValue)
        case .milestone(let name): put("milestone\",\"name\":", name: names[name])
        case .scriptFailure(let place):
            put("script_failure\",\"script\":", name: scripts[Int(place.script)])
            put(",\"hook\":", word: place.hook.rawValue)
            put(",\"code\":", word: place.code.rawValue)
            put(",\"line\":")
            if place.line == 0 { put("null") } else { put(number: UInt64(place.line)) }
        case .upgraded(let version):
            put("world\",\"what\":\"upgrade_os\",\"to\":", word: version.description)
        case .recast(let recast, let script):
            put("world\",\"what\":", word: recast.rawValue)
            put(",\"script\":", name: scripts[Int(script)])
        case .fix(let east, let north):
            put("fix\",\"east_meters\":")
            put(thousandths: east)
            put(",\"north_meters\":")
            put(thousandths: north)
        case .crossing(let region, let isEntry):
            put("crossing\",\"region\":", name: names[region])
            put(",\"state\":", word: isEntry ? "inside" : "outside")
        }
    }

    private mutating func put(_ prompt: PromptShown, choiceLists: ChoiceLists) {
        put("prompt\",\"kind\":", word: prompt.kind.rawValue)
        put(",\"ordinal\":")
        put(number: UInt64(prompt.ordinal))
        put(",\"choices\":")
        put(choiceLists.json(prompt.choices, of: prompt.kind))
        put(",\"primed\":")
        put(prompt.isPrimed)
        put(",\"expected\":")
        put(prompt.isExpected)
    }

    private mutating func put(_ answer: PromptAnswered) {
        put("answer\",\"kind\":", word: answer.kind.rawValue)
        put(",\"choice\":", word: answer.choice.rawValue)
        if !answer.isPrecise { put(",\"precise\":false") }
        if let pick = answer.pick {
            put(",\"share\":")
            put(number: pick.share)
            put(",\"draw\":")
            put(number: pick.draw)
        }
    }

    private mutating func put(_ visit: SettingsVisit) {
        switch visit {
        case .row(let row): put("settings\",\"row\":", word: row.rawValue)
        case .precise(let isOn):
            put("settings\",\"precise\":")
            put(isOn)
        case .locationServices(let isOn):
            put("settings\",\"location_services\":")
            put(isOn)
        }
    }

    mutating func put(_ key: StaticString, word: String) {
        put(key)
        put(UInt8(ascii: "\""))
        put(word: word)
        put(UInt8(ascii: "\""))
    }

    private mutating func put(_ key: StaticString, name: String) {
        put(key)
        put(quoted: name)
    }
}
