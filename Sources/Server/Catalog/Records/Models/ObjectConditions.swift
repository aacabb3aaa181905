/// Conditions that an object must meet when the call takes effect. Nil means no condition.
///
/// A missing object has generation 0 and metageneration 0; no existing object has these.
package struct ObjectConditions: Codable, Sendable, Hashable {
    package var generation: Int64?
    package var otherGeneration: Int64?
    package var metageneration: Int64?
    package var otherMetageneration: Int64?

    package init(
        generation: Int64? = nil, otherGeneration: Int64? = nil, metageneration: Int64? = nil,
        otherMetageneration: Int64? = nil
    ) {
        self.generation = generation
        self.otherGeneration = otherGeneration
        self.metageneration = metageneration
        self.otherMetageneration = otherMetageneration
    }

    /// Whether an object meets the conditions.
    package enum Verdict: Sendable, Hashable {
        case met
        /// The object is not in the state that the caller expects.
        case unmet
        /// The object is still in the state that the caller already has.
        case unchanged
    }

    package func verdict(on object: UploadedObject?) -> Verdict {
        let present = (generation: object?.generation ?? 0, metageneration: object?.metageneration ?? 0)
        if let generation, generation != present.generation { return .unmet }
        if let metageneration, metageneration != present.metageneration { return .unmet }
        if otherGeneration == present.generation || otherMetageneration == present.metageneration { return .unchanged }
        return .met
    }
}
