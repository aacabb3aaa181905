/// What a caller wants to be true of an object when the call takes effect. Nil asks for nothing.
///
/// An object that is not there has generation 0 and metageneration 0; no object that is there has these.
public struct ObjectConditions: Codable, Sendable, Hashable {
    public var generation: Int64?
    public var otherGeneration: Int64?
    public var metageneration: Int64?
    public var otherMetageneration: Int64?

    public init(
        generation: Int64? = nil, otherGeneration: Int64? = nil, metageneration: Int64? = nil,
        otherMetageneration: Int64? = nil
    ) {
        self.generation = generation
        self.otherGeneration = otherGeneration
        self.metageneration = metageneration
        self.otherMetageneration = otherMetageneration
    }

    public enum Verdict: Sendable, Hashable {
        case met
        /// The object is another one than the caller wants.
        case unmet
        /// The object is still the one that the caller has already.
        case unchanged
    }

    public func verdict(on object: UploadedObject?) -> Verdict {
        let present = (generation: object?.generation ?? 0, metageneration: object?.metageneration ?? 0)
        if let generation, generation != present.generation { return .unmet }
        if let metageneration, metageneration != present.metageneration { return .unmet }
        if otherGeneration == present.generation || otherMetageneration == present.metageneration { return .unchanged }
        return .met
    }
}
