import Testing

@testable import HearthModelFile
@testable import HearthVision

@Suite("How models write boxes")
struct BoxCoordinatesTests {
    private typealias Properties = ModelMetadata.BoundingBoxProperties

    private func coordinates(
        _ index: [Int], _ form: Properties.Form, _ unit: Properties.Coordinates = .ratio,
        inputSize: (width: Int, height: Int)? = (8, 4)
    ) throws -> BoxCoordinates {
        try BoxCoordinates(Properties(index: index, form: form, coordinates: unit), inputSize: inputSize)
    }

    private let expected = Box(left: 0.25, top: 0.5, right: 0.75, bottom: 1)

    @Test("every form gives the same box")
    func forms() throws {
        #expect(try coordinates([0, 1, 2, 3], .boundaries).box([0.25, 0.5, 0.75, 1]) == expected)
        #expect(try coordinates([], .unknown).box([0.25, 0.5, 0.75, 1]) == expected)
        #expect(try coordinates([1, 0, 3, 2], .boundaries).box([0.5, 0.25, 1, 0.75]) == expected)
        #expect(try coordinates([0, 1, 2, 3], .upperLeft).box([0.25, 0.5, 0.5, 0.5]) == expected)
        #expect(try coordinates([0, 1, 2, 3], .center).box([0.5, 0.75, 0.5, 0.5]) == expected)
        #expect(try coordinates([3, 2, 1, 0], .center).box([0.5, 0.5, 0.75, 0.5]) == expected)
    }

    @Test("pixels are pixels of the model's input")
    func pixels() throws {
        #expect(try coordinates([0, 1, 2, 3], .boundaries, .pixel).box([2, 2, 6, 4]) == expected)
        #expect(throws: (any Error).self) { try coordinates([], .boundaries, .pixel, inputSize: nil) }
    }

    @Test("sides in the wrong order are turned, what is not finite is no box")
    func hostile() throws {
        #expect(try coordinates([], .boundaries).box([0.75, 1, 0.25, 0.5]) == expected)
        #expect(try coordinates([], .upperLeft).box([0.75, 1, -0.5, -0.5]) == expected)
        for value in [Float.nan, .infinity, -.infinity] {
            for place in 0..<4 {
                var numbers = SIMD4<Float>(0, 0, 1, 1)
                numbers[place] = value
                #expect(try coordinates([], .boundaries).box(numbers) == nil)
            }
        }
        let huge = Float.greatestFiniteMagnitude
        #expect(try coordinates([], .upperLeft).box([huge, 0, huge, 1]) == nil)
    }

    @Test(
        "layouts that cannot be",
        arguments: [[0], [0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], [-1, 0, 1, 2], [0, 1, 2, 3, 4]])
    func layouts(index: [Int]) {
        #expect(throws: (any Error).self) { try coordinates(index, .boundaries) }
        #expect(throws: (any Error).self) { try coordinates([], Properties.Form(rawValue: 9)) }
    }
}
