import HearthCalls
import HearthIdentity
import HearthManagement
import HearthStorage
import Testing

@testable import HearthServer

/// What a follower uses of a state while files are missing.
struct MirrorSelectionTests {
    private struct Release {
        var number: Int64
        var version: Int64
        var created: Int64
        var ended: Int64?
        var share: Int64 = 1_000_000
        var stages = "[]"
        var audience = "{}"
    }

    /// A tenth of the devices.
    private static let tenth: Int64 = 100_000

    private func row(_ table: MirrorTable, _ values: [String: MirrorValue]) -> MirrorRecords.Row {
        table.columns.map { values[$0.name] ?? .null }
    }

    /// A model whose version N has the hash "hN" and N bytes.
    private func state(
        _ releases: [Release], pinned: Int64? = nil, experimentFiles: [MirrorBodies.ExperimentFile] = []
    ) -> MirrorBodies.State {
        var records = MirrorRecords()
        records[.version] = (1...3).map { number in
            row(
                .version,
                [
                    "model": .integer(1), "number": .integer(number), "sha256": .text("h\(number)"),
                    "size_bytes": .integer(number),
                ])
        }
        records[.release] = releases.map { release in
            row(
                .release,
                [
                    "model": .integer(1), "number": .integer(release.number), "version": .integer(release.version),
                    "share": .integer(release.share), "stages": .text(release.stages),
                    "audience": .text(release.audience), "created_us": .integer(release.created),
                    "ended_us": release.ended.map { .integer($0) } ?? .null,
                ])
        }
        if let pinned {
            records[.pin] = [row(.pin, ["model": .integer(1), "version": .integer(pinned), "device": .text("qa")])]
        }
        records[.experiment] = [
            row(.experiment, ["project": .text("p"), "name": .text("e"), "is_running": .integer(1)])
        ]
        let keys = MirroredKeys(deviceTokens: [], refreshTokens: [], installationHashKey: [])
        return MirrorBodies.State(
            server: "s", revision: 1, keys: keys, records: records, experimentFiles: experimentFiles)
    }

    /// The numbers of the releases in force.
    private func active(_ selection: MirrorSelection) -> [Int64] {
        let ended = MirrorTable.release.index("ended_us")
        return selection.records[.release].filter { $0[ended] == .null }.compactMap { $0[1].integer }
    }

    @Test func aReleaseWaitsForItsFileAndKeepsTheOneThatItReplaced() {
        let published = state([
            Release(number: 1, version: 1, created: 10, ended: 20), Release(number: 2, version: 2, created: 20),
        ])
        let before = MirrorSelection(published, present: ["h1"])
        #expect(active(before) == [1])
        // Both files must stay.
        #expect(before.needed == ["h1": 1, "h2": 2])
        let after = MirrorSelection(published, present: ["h1", "h2"])
        #expect(active(after) == [2])
        #expect(after.needed == ["h2": 2])
    }

    @Test func twoReleasesInARowKeepTheFirst() {
        let published = state([
            Release(number: 1, version: 1, created: 10, ended: 2_000_000),
            Release(number: 2, version: 2, created: 2_000_000, ended: 9_000_000),
            Release(number: 3, version: 3, created: 9_000_000),
        ])
        #expect(active(MirrorSelection(published, present: ["h1"])) == [1])
        #expect(active(MirrorSelection(published, present: ["h1", "h2"])) == [2])
    }

    /// A rollback must not wait for a file that was here a while ago.
    @Test func theFileOfTheVersionBeforeStays() {
        let published = state([
            Release(number: 1, version: 1, created: 10, ended: 2_000_000),
            Release(number: 2, version: 2, created: 2_000_000, ended: 9_000_000),
            Release(number: 3, version: 3, created: 9_000_000),
        ])
        #expect(MirrorSelection(published, present: ["h3"]).previous == ["h2"])
        #expect(MirrorSelection(published, present: ["h3"]).needed == ["h3": 3], "it is not fetched for that")
    }

    /// A version that did harm is not given to anybody, whatever is missing.
    @Test func aStoppedReleaseStaysStopped() {
        let stopped = state([
            Release(number: 1, version: 1, created: 10, ended: 5_000_000),
            Release(number: 2, version: 2, created: 9_000_000),
        ])
        #expect(active(MirrorSelection(stopped, present: ["h1"])) == [])
        // Nor one of a model that was unpublished.
        #expect(
            active(MirrorSelection(state([Release(number: 1, version: 1, created: 1, ended: 2)]), present: ["h1"]))
                == [])
    }

    /// It grew to everybody, by hand or by its stages, before its file arrived.
    @Test(arguments: [
        (Self.tenth, #"[{"atMicroseconds":7000000,"shareMillionths":1000000}]"#), (1_000_000, "[]"),
    ])
    func aReleaseThatGrewToEverybodyKeepsTheOneThatItReplaced(share: Int64, stages: String) {
        let grown = state([
            Release(number: 1, version: 1, created: 10, ended: 7_000_000),
            Release(number: 2, version: 2, created: 2_000_000, share: share, stages: stages),
        ])
        #expect(active(MirrorSelection(grown, present: ["h1"])) == [1])
        #expect(active(MirrorSelection(grown, present: ["h1", "h2"])) == [2])
        // Not one that ended before.
        let other = state([
            Release(number: 1, version: 1, created: 10, ended: 6_000_000),
            Release(number: 2, version: 2, created: 6_500_000, share: share, stages: stages),
        ])
        #expect(active(MirrorSelection(other, present: ["h1"])) == [])
    }

    /// The releases to some devices that a new release ended would otherwise give their versions to other devices than before.
    @Test func onlyAReleaseToEverybodyStaysInForce() {
        let published = state([
            Release(number: 1, version: 1, created: 10, ended: 9_000_000),
            Release(number: 2, version: 2, created: 20, ended: 9_000_000, share: Self.tenth),
            Release(number: 3, version: 3, created: 9_000_000),
        ])
        #expect(active(MirrorSelection(published, present: ["h1", "h2"])) == [1])
        let audience = state([
            Release(number: 1, version: 1, created: 10, ended: 9_000_000, audience: #"{"tags":["qa"]}"#),
            Release(number: 2, version: 2, created: 9_000_000),
        ])
        #expect(active(MirrorSelection(audience, present: ["h1"])) == [])
    }

    /// A release to some devices was stopped in the second in which another one began.
    @Test func aReleaseToSomeDevicesRevivesNothing() {
        let stopped = state([
            Release(number: 1, version: 1, created: 10),
            Release(number: 2, version: 2, created: 20, ended: 9_400_000, share: Self.tenth),
            Release(number: 3, version: 3, created: 9_000_000, share: Self.tenth),
        ])
        let before = MirrorSelection(stopped, present: ["h1", "h2"])
        #expect(active(before) == [1])
        #expect(before.needed == ["h1": 1, "h3": 3])
        #expect(active(MirrorSelection(stopped, present: ["h1", "h2", "h3"])) == [1, 3])
    }

    /// The newest file is the one that devices wait for.
    @Test func aReplacedReleaseWithoutItsFileIsNotFetched() {
        let published = state([
            Release(number: 1, version: 1, created: 10, ended: 20), Release(number: 2, version: 2, created: 20),
        ])
        #expect(MirrorSelection(published, present: []).needed == ["h2": 2])
    }

    @Test func pinsAndExperimentsWaitForTheirFiles() {
        let file = MirrorBodies.ExperimentFile(project: "p", experiment: "e", sha256: "h3")
        let planned = state([], pinned: 2, experimentFiles: [file])
        let running = MirrorTable.experiment.index("is_running")
        let before = MirrorSelection(planned, present: [])
        #expect(before.records[.pin] == [])
        #expect(before.records[.experiment][0][running] == .integer(0))
        #expect(before.needed == ["h2": 2, "h3": 3])
        let after = MirrorSelection(planned, present: ["h2", "h3"])
        #expect(after.records[.pin].count == 1)
        #expect(after.records[.experiment][0][running] == .integer(1))
        // A standby also keeps what no release needs.
        #expect(after.all == ["h1": 1, "h2": 2, "h3": 3])
    }
}
