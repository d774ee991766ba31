import Conformance
import Foundation

// judge CASES: prints each case-version that passes. judge CASES BASELINE: exits 1 and prints what
// is in BASELINE and fails now. Part of a copy of the sources; see scripts/dev/mutate-rules.
let words = CommandLine.arguments
let bytes = Array(try Data(contentsOf: URL(filePath: words[1])))
var passed: Set<String> = []
for test in try ConformanceFile.read(bytes, name: words[1]) {
    for version in test.versions where ConformanceRunner.run(test, on: version).isPassed {
        passed.insert("\(test.id) \(version)")
    }
}
guard words.count > 2 else {
    print(passed.sorted().joined(separator: "\n"))
    exit(0)
}
let due = try String(contentsOfFile: words[2], encoding: .utf8).split(separator: "\n")
let lost = due.map(String.init).filter { !passed.contains($0) }
guard !lost.isEmpty else { exit(0) }
var cases: [Substring] = []
for name in lost.compactMap({ $0.split(separator: " ").first }) where !cases.contains(name) {
    cases.append(name)
}
print("\(lost.count) case-versions: " + cases.prefix(3).joined(separator: " "))
exit(1)
