import AuthorizationCore

extension RuleID {
    /// What the rule says, in a few words: for stories. Nil where the id alone must do.
    ///
    /// Source: the specification's own sentences, shortened.
    var phrase: String? {
        permissionPhrase ?? promptPhrase ?? deviationPhrase
    }

    private var permissionPhrase: String? {
        switch self {
        case .st1: "restrictions and Location Services come before the decision"
        case .w1: "undecided, in use and with its text, the app may ask"
        case .w2: "When In Use can only be asked for while undecided"
        case .w3: "the usage description is missing"
        case .w4: "only an app in use may ask"
        case .w5: "undecided again, the app may ask again, without limit"
        case .w6: "Location Services are off"
        case .w7: "a restriction forbids it"
        case .w8: "one prompt at a time: the second request is dropped"
        case .a1, .a3: "undecided, the app asks for Always directly"
        case .a2, .a4, .a8: "with When In Use, the first Always request prompts"
        case .a5, .a9: "the one Always request has been spent"
        case .a6: "Always was asked for while undecided: a grant is provisional"
        case .a7: "on iOS 13.0, Always is given provisionally without a prompt"
        case .a10, .a11: "Allow Once cannot be upgraded, and nothing is spent"
        case .a12: "Always or a refusal is already decided"
        case .a13: "a needed usage description is missing"
        case .a14: "only an app in use may ask"
        case .a15: "undecided again, Always may be asked for again"
        case .a16: "While Using was set in Settings, so Always may be asked for"
        case .a17: "an App Clip never gets Always"
        case .t1: "temporary full accuracy was allowed"
        case .t2: "temporary full accuracy was refused"
        case .t3: "the purpose key is unknown"
        case .t4: "accuracy is full already"
        case .t5: "temporary full accuracy is asked for in the foreground only"
        case .t6: "the app is not authorized"
        case .t7: "temporary full accuracy may be asked for again"
        default: nil
        }
    }

    private var promptPhrase: String? {
        switch self {
        case .j1: "a prompt goes with the manager that asked"
        case .j2: "the app left the foreground, and its prompt with it"
        case .j3: "the process ended, and its prompt with it"
        case .j6: "the system's own prompts stay until answered"
        case .p1, .p2, .p3: "the answer to the When In Use prompt"
        case .p4: "the answer, with Precise Location off"
        case .p5, .p6: "the answer to the Always prompt"
        case .p7, .p8, .p16: "the answer to the upgrade prompt"
        case .p9: "the answer to the second prompt of a provisional Always"
        case .p10, .p11: "the answer to the reminder of background use"
        case .p12: "the answer to the temporary full accuracy prompt"
        case .p13: "the answer to the location button's prompt"
        case .p14: "the answer to the widget's prompt"
        case .p15: "the answer to the offer to turn on Location Services"
        case .o1: "an app cannot tell Allow Once from While Using"
        case .o2: "Allow Once ends when the app is out of use"
        case .o3: "a short dip out of the foreground is forgiven"
        case .o4: "Allow Once lasts while a background session keeps the app in use"
        case .o5: "Allow Once lapsed: the app was out of use for the grace period"
        case .o6: "after a lapse the app may ask again"
        case .o7: "Allow Once lasts while the app is in the foreground"
        case .o8: "the Precise Location switch is remembered"
        case .o9: "the row reads Ask Next Time meanwhile"
        case .o10: "While Using in Settings makes Allow Once lasting"
        case .v1: "the app sees Always, the person sees While Using"
        case .v2: "in use, a provisional Always delivers"
        case .v3: "out of use, an event that needs Always is held, and a second prompt is due"
        case .v4: "the second prompt waits for an idle moment"
        case .v5: "Always was confirmed"
        case .v6: "Always was not confirmed"
        case .v7: "a newer event displaces the held one"
        case .v8: "without such an event no second prompt comes"
        case .v9: "the second prompt comes once"
        case .v10: "Settings decide a provisional Always"
        case .v11: "a provisional Always outlives its process"
        case .v12: "a background session counts as in use"
        case .v13: "the second prompt comes half an hour to a day later"
        default: nil
        }
    }

    private var deviationPhrase: String? {
        switch self {
        case .r1, .r2: "Always has been used in the background for some days"
        case .r3: "the reminder shows a map of the positions"
        case .r4: "the reminder repeats while background use goes on"
        case .r5: "When In Use is never reminded of"
        case .r6: "the reminder waits for an idle moment"
        case .u1, .u2, .u3, .u4, .u5, .u6: "the app counts as in use"
        case .u7: "background run time is not use"
        case .s1, .s2, .s3, .s4, .s5, .s8: "the person chose another row in Settings"
        case .s6: "the Precise Location switch in Settings"
        case .s7: "the app has no row before it first asks"
        case .s9: "a change in Settings"
        case .s10: "the row was chosen already"
        case .s11: "Ask Next Time makes the app undecided, and no prompt comes by itself"
        case .s12: "Always in Settings is permanent"
        case .s13: "lowered in Settings"
        case .s14: "a restriction freezes the row"
        case .s15: "Precise Location alone changed"
        case .s16: "a change in Settings does not end the app"
        case .g1: "Location Services were switched, and every app hears of it"
        case .g2: "with Location Services off, undecided apps read denied too"
        case .g3: "a refused app sees no change"
        case .g4: "Location Services are off"
        case .g5: "with Location Services off, a request offers to turn them on"
        case .g7: "a restriction makes undecided apps restricted"
        case .g8: "a restriction freezes what was decided"
        case .g9, .g15: "a reset makes the app undecided"
        case .g10: "deleting the app takes its decision along"
        case .g11: "an update keeps what the app still supports"
        case .g12, .g13: "the decision survives the upgrade of iOS"
        case .c1: "the first callback of a process"
        case .c2: "a change of the status or the accuracy"
        case .c3: "it changed while the app was suspended"
        case .c5: "an ignored request has no callback"
        case .c11: "nothing changed, so there is no callback"
        case .ac9: "the Precise Location switch was changed"
        case .ac10: "the app wants reduced accuracy by default"
        case .ac11: "temporary full accuracy ends with the use of the app"
        case .ac12: "temporary full accuracy ends with the process"
        case .x1: "an App Clip's grant ends at four in the morning"
        case .x2: "the system removed the unused App Clip"
        case .x4: "a widget of a When In Use app was placed"
        case .x5: "Always includes widgets"
        case .x7: "the location button asks once, then grants"
        case .x8: "the location button changes nothing for an authorized app"
        case .x9: "the location button gives a refused app another chance"
        case .x11: "the location button was unreadable"
        case .q8: "a restart ends Allow Once"
        case .n1: "making a service session is the request"
        case .n2, .n3: "a service session that is held asks again at the next foreground"
        case .n5: "a service session wants full accuracy for its purpose"
        case .n6: "awaiting live updates or the events of a monitor is the request"
        default: nil
        }
    }
}
