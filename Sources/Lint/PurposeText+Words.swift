/// Words that tell placeholders and generic texts. Source: the texts that LI4 and LI5 cite, and
/// their like. English alone: texts in other languages pass.
extension PurposeText {
    /// Anywhere in a text.
    static let marks = [
        "goes here", "your_description", "your description", "description here", "your text",
        "text here", "lorem ipsum", "placeholder", "insert text", "insert reason",
        "insert description", "change me", "changeme", "replace me", "fill me in",
        "your reason", "your_reason", "reason here", "your message", "message here",
        "to be added", "to be defined", "to be determined", "to be done", "coming soon",
    ]

    static let upperStubs = ["TO" + "DO", "FIX" + "ME", "TBD", "TBA", "XX" + "X", "WIP"]

    /// A text of these alone says nothing.
    static let stubs = words(
        """
        abc default description explanation hello hi message na nil no none null ok purpose random
        reason something tba tbd temporary text title todo undefined unknown usage value wip world
        yes
        """)

    /// Nor does a text of these and of generic words.
    static let trials = words(
        """
        bar baz bla blah demo dummy example foo foobar ipsum lorem placeholder sample string stub
        temp test tested tester testing tests tmp whatever xyz
        """)

    static let keyRuns = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz"]

    /// Words to the developer, at the start of a text.
    static let instructions = words(
        """
        add change define describe enter explain fill insert provide put replace specify supply tell
        type write
        """)

    /// What such words ask for.
    static let textNouns = words(
        "description explanation justification message purpose reason string text wording")

    /// Before what is the person's own: "your run".
    static let owners = words("your a an each every their my morning daily last next")

    /// What everything promises.
    static let promised = words(
        "content experience experiences feature features functionality information result results "
            + "service services")

    /// That location is wanted, not what for.
    static let genericWords = words(
        """
        a able about access accessing accurate accurately add additional aim all allow
        allowing allows also always an and any anytime app app's application applications
        apps are as ask asks at available background based basic be because been being best
        better but by can can't cannot certain client closed collect collecting collects
        company content continue continuous continuously coordinates core correct correctly
        could current customer customers customise customised customize customized data
        depends detail details detect detecting determine determines determining device
        device's devices different do does doesn't don't due during enable enabled enables
        enabling enhance enhanced enhances enhancing enjoy ensure ensures essential etc even
        every exact experience experiences facilitate feature features fetch for foreground
        from full fully function functional functionalities functionality functioning
        functions further gather gathers general geolocation get gets getting give gives
        good gps grant granted great has have help helps high how if important improve
        improved improvement improvements improves improving in information inside install
        installed into ios iphone is it it's its just key kindly know latitude launch
        launched let lets like location location's locations longitude main maintain make
        makes making many may might mobile more most must necessary need needed needs normal
        normally not obtain of offer offering offers ok on only open opened opens operate
        operates operation operations optimal optimise optimised optimize optimized
        optimizing option optional or other our our's ours out overall part perform
        permission permissions permit personalise personalised personalize personalized
        personalizing phone phone's phones platform please position possible precise
        precisely primary process product proper properly provide provided provides
        providing purpose purposes quality read reason reasons receive received relevant
        request requested requests require required requirement requirements requires
        requiring retrieve same seamless seamlessly serve serves service services set
        setting settings several should smartphone smooth smoothly so software some
        something specific such support supports system tailor tailored take than that the
        their them these they this those through time to track tracking turn unable update
        updates us usage use used useful user user's users users' uses using utilise utilize
        utilizes valuable various via want wants was way we we'd we'll we're well when where
        whether which while who why will with within without won't work working works would
        you you'd you'll you're your yours
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
