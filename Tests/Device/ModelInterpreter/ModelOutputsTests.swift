import Foundation
import HearthModelInterpreter
import Testing

/// The casts that existing apps apply to an output, on fractions and on whole numbers.
@Suite("Casts of outputs")
struct ModelOutputsTests {
    private func fractions() async throws -> Any {
        try await Sample.batch.run([[Float(0.1) / 3, 0.5]])
    }

    private func wholes() async throws -> Any {
        try await Sample.byteImage.run(Data((0..<192).map { UInt8($0) }))
    }

    @Test("nested arrays of fractions")
    func nested() async throws {
        let output = try await fractions()
        let expected: [[Float]] = [[Float(0.1) / 3 * 3, 1.5]]
        #expect(output as? [[Float]] == expected)
        #expect((output as? [[NSNumber]])?[0].map(\.floatValue) == expected[0])
        #expect((output as? [Any])?.count == 1)
        #expect(((output as? [Any])?[0] as? [Float32]) == expected[0])
        #expect(((output as? [Any])?[0] as? [NSNumber])?.count == 2)
        #expect(((output as? [Any])?[0] as? [Double])?[1] == 1.5)
        #expect((output as? NSArray)?.count == 1)
        #expect(((output as? NSArray)?[0] as? NSArray)?.count == 2)
        #expect((output as? [NSArray])?.first?[1] as? NSNumber == 1.5)
        #expect(output as? [[UInt8]] == nil)
        #expect("\((output as? [[NSNumber]])?[0][1] as Any)" == "Optional(1.5)")
    }

    @Test("four levels of whole numbers")
    func whole() async throws {
        let output = try await wholes()
        #expect((output as? [[[[NSNumber]]]])?[0][0][1] == [9, 12, 15])
        #expect((output as? [[[[UInt8]]]])?[0][7][7] == [255, 255, 255])
        #expect((output as? [[[[Int]]]])?[0][0][0] == [0, 3, 6])
        #expect((output as? [[[[Float]]]])?[0][0][0] == [0, 3, 6])
        #expect((output as? [[[[Double]]]])?[0][0][0] == [0, 3, 6])
    }

    @Test("one level")
    func flat() async throws {
        let output = try await Sample.subtract.run([1, 0.5], [0, 0])
        #expect(output as? [NSNumber] == [1, 0.5])
        #expect(output as? [Float32] == [1, 0.5])
        #expect(output as? [Double] == [1, 0.5])
        #expect((output as? NSArray)?.count == 2)
        #expect(output as? [[NSNumber]] == nil)
    }

    @Test("numbers print as short as the model made them")
    func printing() async throws {
        let output = try await Sample.subtract.run([Float(0.1), 2], [0, 0]) as? [NSNumber]
        #expect(output?.map { "\($0)" } == ["0.1", "2.0"])
        #expect(output?[0].floatValue == 0.1)
    }

    @Test("integers of 32 and 64 bits")
    func integers() async throws {
        #expect(try await Sample.divide.run([9, -8], [2, 2]) as? [Int] == [4, -4])
        let large = try await Sample.int64.run([[1 << 62, -1]], [[0, 0]])
        #expect(large as? [[Int]] == [[1 << 62, -1]])
        #expect((large as? [[NSNumber]])?[0][0].int64Value == 1 << 62)
    }
}
