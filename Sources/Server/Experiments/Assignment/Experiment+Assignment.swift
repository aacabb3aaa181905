extension Experiment {
    /// Which variant an installation has by chance alone, whether or not the audience holds it; nil for one that does not
    /// take part.
    ///
    /// A pure function of the experiment and the installation: nothing is stored for it, and it is the same after a
    /// restart, on another server and in another year. An app that is installed anew has a new installation id, and is a
    /// new installation.
    public func variantIndex(of installationID: String) -> Int? {
        guard state == .running, holds(slot: Slots.slot(of: installationID, project: projectID)) else { return nil }
        let total = variants.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        // Another draw than the slot's, so that who takes part says nothing of who gets what.
        var point = Int(
            Draw.number("variant/\(projectID)/\(name)/\(startedMicroseconds ?? 0)/\(installationID)") % UInt64(total))
        for (index, variant) in variants.enumerated() {
            point -= variant.weight
            if point < 0 { return index }
        }
        return nil
    }

    private func holds(slot: Int) -> Bool { slots.contains { $0.contains(slot) } }

    /// The slots for its share that no running experiment owns which overlaps with it; nil where too few are left.
    public func slotsToStart(beside running: [Experiment]) -> [Range<Int>]? {
        let taken = running.filter { $0.state == .running && overlaps($0) }.flatMap(\.slots)
        // From a point of its own, so that not the same installations take part in everything.
        let start = Int(Draw.number("start/\(projectID)/\(name)") % UInt64(Slots.count))
        return Slots.allocate(shareMillionths, avoiding: taken, startingAt: start)
    }
}
