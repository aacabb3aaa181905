import HearthCatalog
import Testing

@Suite("Conditions on an object") struct ObjectConditionsTests {
    private static let object = UploadedObject(
        projectID: "p", bucket: "bucket", name: "n", sha256: "h", sizeBytes: 1, crc32c: 2, createdMicroseconds: 7)

    @Test(
        "Each holds, or not, for an object that is there and for one that is not",
        arguments: [
            (ObjectConditions(), .met, .met),
            (ObjectConditions(generation: 7), .met, .unmet), (ObjectConditions(generation: 8), .unmet, .unmet),
            (ObjectConditions(generation: 0), .unmet, .met),
            (ObjectConditions(otherGeneration: 7), .unchanged, .met),
            (ObjectConditions(otherGeneration: 8), .met, .met),
            (ObjectConditions(otherGeneration: 0), .met, .unchanged),
            (ObjectConditions(metageneration: 1), .met, .unmet), (ObjectConditions(metageneration: 2), .unmet, .unmet),
            (ObjectConditions(otherMetageneration: 1), .unchanged, .met),
            (ObjectConditions(generation: 7, otherMetageneration: 1), .unchanged, .unmet),
        ] as [(ObjectConditions, ObjectConditions.Verdict, ObjectConditions.Verdict)])
    func verdicts(
        conditions: ObjectConditions, there: ObjectConditions.Verdict, missing: ObjectConditions.Verdict
    ) {
        #expect(conditions.verdict(on: Self.object) == there)
        #expect(conditions.verdict(on: nil) == missing)
    }

    @Test("An object that takes another one's place has a later generation, whatever the clock says")
    func follow() {
        for (made, generation) in [(6, 8), (7, 8), (8, 8), (90, 90)] as [(Int64, Int64)] {
            var new = Self.object
            new.createdMicroseconds = made
            new.follow(Self.object)
            #expect(new.generation == generation)
        }
        var first = Self.object
        first.follow(nil)
        #expect(first.generation == 7)
    }
}
