import JSONText
import Reports
import SimPrimitives

/// What `verify-determinism` prints.
struct DeterminismPage {
    let scenario: String
    let devices: UInt32
    let duration: SimDuration
    let proof: DeterminismProof

    var text: String {
        if let difference = proof.difference { return difference.text }
        let names = proof.runs.map { "  \($0.sample.name)\n" }.joined()
        return """
            \(proof.runs.count) runs agree: \(devices) device\(devices == 1 ? "" : "s"), \(days)
            digest \(proof.runs.first?.digest ?? "")
            \(names)
            """
    }

    private var days: String {
        let days = duration.seconds / 86_400
        return days == 1 ? "1 day" : days == days.rounded() ? "\(Int(days)) days" : "\(days) days"
    }

    var json: String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.member("locfleet", Report.productVersion)
            writer.member("scenario", scenario)
            writer.member("devices", devices)
            writer.member("duration_seconds", duration.seconds)
            writer.member("agree", proof.difference == nil)
            writer.key("digest")
            if proof.difference == nil, let digest = proof.runs.first?.digest {
                writer.string(digest)
            } else {
                writer.null()
            }
            writer.key("runs")
            writer.array { writer in
                for (sample, digest) in proof.runs { sample.write(digest, to: &writer) }
            }
            writer.key("difference")
            if let difference = proof.difference {
                difference.write(to: &writer)
            } else {
                writer.null()
            }
        }
        return writer.text + "\n"
    }
}

extension DeterminismSample {
    fileprivate func write(_ digest: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("options", words.joined(separator: " "))
            writer.member("shards", shards)
            writer.member("log", hasLog)
            writer.member("digest", digest)
        }
    }
}
