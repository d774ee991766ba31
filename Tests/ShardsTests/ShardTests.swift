import Testing

@testable import Shards

@Suite("A shard")
struct ShardTests {
    @Test("cuts a fleet into stretches that follow each other and differ by one device at most")
    func cut() throws {
        for total in [1, 2, 7, 50, 16_384, 16_385, 33_000, 100_000_000] as [UInt32] {
            for count in [1, 2, 3, 7, 50, 10_000] as [UInt32] where count <= total {
                let parts = try (1...count).map {
                    try Shard("\($0)/\(count)", environment: [:]).devices(of: total)
                }
                #expect(parts[0].lowerBound == 0 && parts[parts.count - 1].upperBound == total)
                #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
                let sizes = parts.map(\.count)
                #expect(try #require(sizes.max()) - #require(sizes.min()) <= 1)
            }
        }
    }

    struct Row: CustomTestStringConvertible {
        let word: String
        let environment: [String: String]
        /// Or a piece of the complaint.
        let due: String
        var testDescription: String { "\(word) with \(environment.sorted { $0.key < $1.key })" }

        init(_ word: String, _ environment: [String: String] = [:], _ due: String) {
            (self.word, self.environment, self.due) = (word, environment, due)
        }
    }

    static func slurm(
        _ id: Int, _ range: ClosedRange<Int>, count: Int, step: Int = 1
    ) -> [String: String] {
        [
            "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(range.lowerBound)",
            "SLURM_ARRAY_TASK_MAX": "\(range.upperBound)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
            "SLURM_ARRAY_TASK_STEP": "\(step)",
        ]
    }

    static let rows: [Row] = [
        Row("1/1", "1/1"),
        Row("7/7", "7/7"),
        Row("0/7", "1/7 ... 7/7"),
        Row("8/7", "1/7 ... 7/7"),
        Row("1/0", "--shard is i/N"),
        Row("1/10001", "N in 1 ... 10000"),
        Row("x", "--shard is i/N"),
        Row("1/2/3", "--shard is i/N"),
        Row("-1/2", "1/2 ... 2/2"),
        Row("", "--shard is i/N"),
        Row("auto", "none of SLURM_ARRAY_TASK_ID"),
        Row("/7", "none of SLURM_ARRAY_TASK_ID"),
        Row("3/7", slurm(1, 1...2, count: 2), "3/7"),
        Row("auto", slurm(0, 0...7, count: 8), "1/8"),
        Row("auto", slurm(7, 0...7, count: 8), "8/8"),
        Row("auto", slurm(1, 1...8, count: 8), "1/8"),
        Row("auto", slurm(8, 1...8, count: 8), "8/8"),
        Row("auto", slurm(14, 10...18, count: 5, step: 2), "3/5"),
        Row("/8", slurm(8, 1...8, count: 8), "8/8"),
        Row("/8", slurm(3, 3...3, count: 1), "says 1 shards; --shard i/N"),
        Row("auto", slurm(5, 1...10, count: 4), "do not go from 1 to 10"),
        Row("auto", slurm(9, 1...8, count: 8), "none of 8 shards from 1"),
        Row("auto", slurm(0, 1...8, count: 8), "none of 8 shards from 1"),
        Row("auto", slurm(1, 1...4_294_967_295, count: 2, step: 0), "do not go from"),
        Row("auto", ["SLURM_ARRAY_TASK_ID": "1"], "_MAX and _COUNT belong"),
        Row("/8", ["JOB_COMPLETION_INDEX": "0"], "1/8"),
        Row("/8", ["JOB_COMPLETION_INDEX": "7"], "8/8"),
        Row("/8", ["JOB_COMPLETION_INDEX": "8"], "none of 8 shards from 0"),
        Row("auto", ["JOB_COMPLETION_INDEX": "0"], "--shard /N gives it"),
        Row("/8", ["JOB_COMPLETION_INDEX": "one"], "not 'one'"),
        Row("auto", ["OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"], "3/3"),
        Row("/4", ["OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"], "says 3 shards"),
        Row(
            "auto", ["OMPI_COMM_WORLD_RANK": "0", "JOB_COMPLETION_INDEX": "0"],
            "says which is meant"),
    ]

    @Test("is what was said, or what the environment says where it is asked", arguments: rows)
    func word(_ row: Row) {
        do throws(ShardError) {
            let shard = try Shard(row.word, environment: row.environment)
            #expect(shard.text == row.due)
        } catch { #expect(error.message.contains(row.due), "\(error.message)") }
    }
}

extension ShardTests.Row {
    init(_ word: String, _ due: String) { self.init(word, [:], due) }
}
