import HearthCrypto

extension Experiment {
    /// The index of the variant that an installation draws, without regard to the audience; nil if it does not take
    /// part.
    ///
    /// A pure function of the experiment and the installation. Nothing is stored for it, and the result is the same
    /// after a restart, on another server and in another year. An app that is installed again has a new installation
    /// id, and is a new installation.
    package func variantIndex(of installationID: String) -> Int? {
        guard owns(installationID) else { return nil }
        let total = variants.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        // An independent draw, so that taking part says nothing about the variant.
        var point = Int(
            StableHash.number("variant/\(projectID)/\(name)/\(startedMicroseconds ?? 0)/\(installationID)")
                % UInt64(total))
        for (index, variant) in variants.enumerated() {
            point -= variant.weight
            if point < 0 { return index }
        }
        return nil
    }

    /// Whether the installation is in the experiment's share, so that no overlapping experiment may have it.
    package func owns(_ installationID: String) -> Bool {
        guard state == .running else { return false }
        let slot = Slots.slot(of: installationID, project: projectID)
        return slots.contains { $0.contains(slot) }
    }

    /// The slots for the experiment's share, without those of running experiments that overlap with it; nil if too few
    /// are left.
    package func slotsToStart(beside running: [Experiment]) -> [Range<Int>]? {
        let taken = running.filter { $0.state == .running && overlaps($0) }.flatMap(\.slots)
        // Each experiment starts at its own point, so that different experiments prefer different installations.
        let start = Int(StableHash.number("start/\(projectID)/\(name)") % UInt64(Slots.count))
        return Slots.allocate(shareMillionths, avoiding: taken, startingAt: start)
    }
}

/// Numbers that look random, and are always the same for the same text.
enum StableHash {
    /// The first eight bytes of the text's SHA-256, big-endian.
    static func number(_ text: String) -> UInt64 {
        SHA256Hasher.hash(text.utf8).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
