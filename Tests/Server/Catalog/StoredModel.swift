import HearthCatalog
import HearthWire
import Testing

/// A model with its versions and releases, kept as a store keeps them: it writes what the rules answer, and holds them
/// to what must be true after every change.
struct StoredModel {
    private(set) var model: Model
    private(set) var versions: [Int: ModelLifecycle.KnownVersion] = [:]
    /// Newest first.
    private(set) var releases: [Release] = []
    /// The last change that was written.
    private(set) var last: ModelLifecycle.Change
    var now: Int64

    init(_ edit: ModelLifecycle.Edit) throws {
        last = try ModelLifecycle.create(
            id: 1, projectID: "project-a", edit: edit, isTaken: false, context: Sample.before)
        model = last.model
        now = Sample.later
        write(last, edit.upload?.validation)
    }

    var state: ModelLifecycle.State {
        let lastReleased = ReleaseLifecycle.lastReleasedVersion(releases, nowMicroseconds: now)
        return ModelLifecycle.State(
            model: model, newest: model.newestVersion.flatMap { versions[$0] },
            lastReleased: lastReleased.flatMap { versions[$0] }, releases: releases)
    }

    var context: ModelLifecycle.Context { .init(actor: "bob@example.test", nowMicroseconds: now) }

    /// Those that have not ended, newest first.
    var underWay: [Int] { releases.filter { $0.endedMicroseconds == nil }.map(\.number) }

    func release(_ number: Int) throws -> Release {
        try #require(releases.first { $0.number == number })
    }

    func version(_ number: Int) throws -> ModelLifecycle.KnownVersion { try #require(versions[number]) }

    @discardableResult
    mutating func update(_ edit: ModelLifecycle.Edit, isTaken: Bool = false) throws -> ModelLifecycle.Change {
        let change = try ModelLifecycle.update(state, edit: edit, isTaken: isTaken, context: context)
        write(change, edit.upload?.validation)
        return change
    }

    /// Puts up a version that is not released.
    mutating func push(_ sha256: String, verdict: Verdict = .ok, contract: ModelContract = Sample.contract) throws {
        try update(
            .init(
                upload: try Sample.upload(sha256: sha256, verdict: verdict, contract: contract), publishesNewFile: false
            )
        )
    }

    /// The verdict on some bytes comes in.
    @discardableResult
    mutating func applyVerdict(_ verdict: Verdict, version number: Int) throws -> ModelLifecycle.Change? {
        let sha256 = try version(number).version.sha256
        let validation = try Sample.upload(sha256: sha256, verdict: verdict).validation
        for (number, known) in versions where known.version.sha256 == sha256 {
            versions[number]?.validation = validation
        }
        guard let waiting = model.publishWhenValidated else { return nil }
        let change = ModelLifecycle.validated(try version(waiting), in: state, context: context)
        if let change { write(change, nil) }
        return change
    }

    /// Makes the change that `rule` answers, at the time `now`.
    @discardableResult
    mutating func apply(
        _ rule: (ModelLifecycle.State, ModelLifecycle.Context) throws -> ModelLifecycle.Change
    ) throws -> ModelLifecycle.Change {
        let change = try rule(state, context)
        write(change, nil)
        return change
    }

    @discardableResult
    mutating func release(
        version: Int, share: Int = Release.fullShare, stages: [Release.Stage] = [], audience: Audience = Audience(),
        allowContractChange: Bool = false, allowCrashing: Bool = false
    ) throws -> ModelLifecycle.Change {
        let known = try self.version(version)
        return try apply {
            try ReleaseLifecycle.release(
                $0, known, share: share, stages: stages, audience: audience, allowContractChange: allowContractChange,
                allowCrashing: allowCrashing, context: $1)
        }
    }

    private mutating func write(_ change: ModelLifecycle.Change, _ validation: Validation?) {
        let revision = model.revision
        let numbers = releases.map(\.number)
        let ended = releases.filter { $0.endedMicroseconds != nil }
        if let version = change.newVersion, let validation {
            #expect(versions[version.number] == nil, "a version never changes")
            versions[version.number] = .init(version: version, validation: validation)
        }
        for release in change.changedReleases {
            #expect(numbers.contains(release.number), "only what is there is updated")
            releases = releases.map { $0.number == release.number ? release : $0 }
        }
        for release in change.newReleases {
            #expect(release.number == (releases.first?.number ?? 0) + 1, "numbers grow by one")
            releases.insert(release, at: 0)
        }
        model = change.model
        last = change
        #expect(ended.allSatisfy(releases.contains), "what has ended changes no more")
        #expect(revision == model.revision || !change.audit.isEmpty, "no change without an audit entry")
        #expect(change.audit.isEmpty || change.model.updatedMicroseconds == change.audit[0].atMicroseconds)
        expectWhole()
    }

    private func expectWhole() {
        let time = model.updatedMicroseconds
        let full = releases.filter { EffectiveShare.isFull($0, nowMicroseconds: time) }
        #expect(full.count <= 1, "at most one release reaches all devices")
        #expect(model.releasedVersion == full.first?.version)
        #expect(model.isPublished == !underWay.isEmpty)
        #expect(underWay.allSatisfy { $0 >= full.first?.number ?? 0 }, "nothing lies below a full release")
        #expect(model.newestVersion == versions.keys.max())
        #expect(underWay.count <= ReleaseLifecycle.activeLimit)
    }
}

/// Facts to feed the rules with.
enum Sample {
    typealias Upload = (object: UploadedObject, validation: Validation)

    static let created: Int64 = 1_000_000
    static let later: Int64 = 2_000_000

    static let before = ModelLifecycle.Context(actor: "ann@example.test", nowMicroseconds: created)

    static let malformed = Verdict.malformed("The file ends in the middle of a table.")
    static let unsupported = Verdict.unsupported("The operator WHERE is not known here.")

    static let crashing = Verdict.unsupported("\(Verdict.crashText) (signal 11, Segmentation fault).")

    static let contract = ModelContract(
        inputs: [.init(name: "image", type: "uint8", shape: [1, 224, 224, 3], scale: 0.5, zeroPoint: 128)],
        outputs: [.init(name: "scores", type: "float32", shape: [1, 1001])],
        operators: [.init(name: "CONV_2D", count: 3)], signatures: ["serving_default"])

    /// With another input than `contract`.
    static var otherContract: ModelContract {
        var contract = contract
        contract.inputs[0].type = "float32"
        return contract
    }

    static func upload(
        _ name: String = "a.tflite", sha256: String = "aa", verdict: Verdict = .ok, contract: ModelContract = contract
    ) throws -> Upload {
        let object = UploadedObject(
            projectID: "project-a", bucket: "bucket", name: name, sha256: sha256, sizeBytes: 7, crc32c: 9,
            createdMicroseconds: 5)
        let json = verdict.isPublishable ? String(decoding: try WireJSON.encode(contract), as: UTF8.self) : nil
        let validation = Validation(
            sha256: sha256, sizeBytes: 7, verdict: verdict, contractJSON: json, requestedMicroseconds: 5)
        return (object, validation)
    }
}

extension ModelLifecycle.Change {
    var actions: [String] { audit.map(\.action) }
}
