import HearthCalls
import HearthCrypto
import HearthIdentity
import HearthManagement
import HearthStorage

/// Whether a state of the main server may be used: it is refused as a whole if anything in it cannot be right. Pure.
struct MirrorStateCheck {
    let main: String
    let nowMicroseconds: Int64

    /// The most bytes of a file, as in the settings of a server.
    private static let mostFileBytes: Int64 = 1 << 40
    /// A server makes fewer changes than this in a second, and the revision grows by one with each.
    private static let changesPerSecond: Int64 = 1000
    /// Clocks may differ, and the time of the last answer is stored now and then only.
    private static let revisionSlack: Int64 = 1_000_000

    /// - Parameter follow: what was used before.
    func check(
        _ state: MirrorBodies.State, after follow: FollowState, acceptsRestored: Bool
    ) throws(MirrorProblem) {
        guard state.format == MirrorBodies.State.currentFormat else {
            throw MirrorProblem(
                .malformed,
                "\(main) is of another version (\(state.format), not \(MirrorBodies.State.currentFormat)): use the same version at both"
            )
        }
        if let problem = state.records.formProblem ?? Self.fileProblem(state) { throw refused(problem) }
        guard state.keys.isPlausible, !state.server.isEmpty else { throw refused("its keys or its id are damaged") }
        guard (0...mostRevision).contains(state.revision) else {
            throw refused("no server has made as many changes as its revision says (\(state.revision))")
        }
        guard !acceptsRestored, !follow.server.isEmpty else { return }
        try checkOrder(state, after: follow)
    }

    private func checkOrder(_ state: MirrorBodies.State, after follow: FollowState) throws(MirrorProblem) {
        guard state.server == follow.server else {
            throw MirrorProblem(
                .backwards,
                """
                \(main) is another server (\(state.server)) than the one that was followed (\(follow.server)). Its state \
                is not used. If that is right, start once with --accept-restored.
                """)
        }
        // A revision that no server can have says nothing about the states after it.
        guard follow.revision <= mostRevision else { return }
        guard state.revision >= follow.revision else {
            throw MirrorProblem(
                .backwards,
                """
                The state of \(main) is older (\(state.revision)) than one before (\(follow.revision)). It is not used. \
                If a backup was restored there, start once with --accept-restored.
                """)
        }
        // Otherwise one wrong revision would make all true ones after it look older.
        let seconds = max(0, nowMicroseconds - follow.contactMicroseconds) / 1_000_000
        guard state.revision - follow.revision <= Self.revisionSlack + seconds * Self.changesPerSecond else {
            throw refused(
                """
                its revision (\(state.revision)) is far above the last one (\(follow.revision)), and nobody makes as many changes \
                in that time. If it is right, start once with --accept-restored
                """)
        }
    }

    /// Higher than that of a server that has worked without a pause since 1970.
    private var mostRevision: Int64 {
        Self.revisionSlack + max(0, nowMicroseconds) / 1_000_000 * Self.changesPerSecond
    }

    /// A hash becomes the name of a file here, and a length decides how many bytes are taken.
    private static func fileProblem(_ state: MirrorBodies.State) -> String? {
        var sizes: [String: Int64] = [:]
        for table in MirrorTable.all where table.columns.contains(where: { $0.name == "sha256" }) {
            let (sha256, size) = (table.index("sha256"), table.index("size_bytes"))
            for row in state.records[table] {
                guard let hash = row[sha256].text, isHash(hash) else {
                    return "the table \(table.name) names a file by something else than a hash"
                }
                guard let bytes = row[size].integer, (0...mostFileBytes).contains(bytes) else {
                    return "the file \(hash) has a length that no file has"
                }
                guard sizes.updateValue(bytes, forKey: hash) ?? bytes == bytes else {
                    return "the file \(hash) has two lengths"
                }
            }
        }
        return state.experimentFiles.allSatisfy { isHash($0.sha256) }
            ? nil : "an experiment names a file by something else than a hash"
    }

    private static func isHash(_ text: String) -> Bool { SHA256Digest(hex: text)?.hex == text }

    private func refused(_ problem: String) -> MirrorProblem {
        MirrorProblem(.malformed, "The state of \(main) is not used: \(problem)")
    }
}
