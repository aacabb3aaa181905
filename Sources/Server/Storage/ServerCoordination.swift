/// What several servers over the same data agree on, so that none of them has to be the leader. Calls block.
package protocol ServerCoordination: Sendable {
    /// Whether other servers may use the same data.
    var isShared: Bool { get }

    /// Whether this server does the job now. At most one server does; when it ends, another one does within seconds.
    func holds(_ job: ServerJob) -> Bool

    /// The locks that servers need and do not have, as of some seconds ago.
    var lockProblems: [LockProblem] { get }

    /// Runs `body` while no server removes bytes (`.adding`), or while no server adds or removes any (`.removing`).
    ///
    /// - Throws: `.unavailable` if the lock cannot be had in time; with `.removing` at once, so that nobody queues behind.
    ///   `.locked` with `.adding` if somebody has it who is no server.
    func withBlobs<Result>(_ use: BlobUse, _ body: () throws -> Result) throws -> Result

    /// Reserves the validation of a file for this server, for `ValidationClaim.seconds`.
    ///
    /// - Returns: false if another server has it, or if the file has its verdict.
    func claimValidation(of sha256: String) throws -> Bool
    /// Reserves the validations that this server runs for longer.
    func renewClaims(of hashes: [String]) throws
    /// Lets other servers validate the file.
    func releaseClaim(of sha256: String)
    /// The files with a claim of another server that has not ended.
    func validationsElsewhere() throws -> Set<String>
}

extension ServerCoordination {
    package var lockProblems: [LockProblem] { [] }
}

/// Work that one server does for all.
package enum ServerJob: Int, CaseIterable, Sendable {
    case maintenance = 1
    case experiments = 2
    case rollouts = 3
    case rehearsals = 4
}

/// What a caller does with the bytes in the blob store.
package enum BlobUse: Sendable {
    /// It makes bytes visible and records them.
    case adding
    /// It removes bytes that no record names.
    case removing
}

/// A server's right to validate a file.
package enum ValidationClaim {
    /// How long it lasts without a renewal. A server that works renews it every few seconds.
    package static let seconds = 30
}

/// For a server that has its data alone: it does everything.
package struct SoleServer: ServerCoordination {
    package init() {}

    package var isShared: Bool { false }
    package func holds(_ job: ServerJob) -> Bool { true }
    package func withBlobs<Result>(_ use: BlobUse, _ body: () throws -> Result) throws -> Result { try body() }
    package func claimValidation(of sha256: String) throws -> Bool { true }
    package func renewClaims(of hashes: [String]) throws {}
    package func releaseClaim(of sha256: String) {}
    package func validationsElsewhere() throws -> Set<String> { [] }
}
