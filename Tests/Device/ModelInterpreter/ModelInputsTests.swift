import Foundation
import HearthModelInterpreter
import Testing

@Suite("Values of inputs")
struct ModelInputsTests {
    @Test("what is neither Data nor an array of numbers is refused when it is added")
    func refused() {
        let values: [(Any, String)] = [
            ("text", "not a String"), (1.5, "not a Double"), (["a": 1], "not a Dictionary"), (NSNull(), "not a NSNull"),
            (Optional<Data>.none as Any, "not a Optional"), (Set([1]), "not a Set"), (0..<4, "not a Range"),
            (["text"], "array of String"), ([[["text"]]], "array of String"), ([NSNull()], "array of NSNull"),
            ([Data()], "array of Data"), (NSArray(array: [NSDate()]), "array of Date"),
            ([] as [Float], "without elements"), ([[Float]()], "without elements"), (NSArray(), "without elements"),
            ([[[[[[[[[1]]]]]]]]], "more than 8 levels"),
        ]
        for (value, reason) in values {
            let error = failure { try ModelInputs().addInput(value) }
            #expect(error?.machineLearningCode == .invalidArgument, "\(reason)")
            #expect(error?.localizedDescription.contains(reason) == true, "\(error as Any)")
        }
    }

    @Test("arrays nested a thousand levels deep are refused", arguments: [false, true])
    func deep(isFoundation: Bool) {
        var array: Any = [1]
        for _ in 0..<1000 { array = isFoundation ? NSArray(array: [array]) : [array] }
        let error = failure { try ModelInputs().addInput(array) }
        #expect(error?.localizedDescription == "An input has arrays nested more than 8 levels deep.")
    }

    @Test("an array that stands for more numbers than memory holds is refused by its shape, unread")
    func bomb() async {
        var rows: Any = [Float](repeating: 1, count: 1000)
        for _ in 0..<7 { rows = Array(repeating: rows, count: 1000) }
        let error = await Sample.rank8.error(rows, rows)
        #expect(error?.machineLearningCode == .invalidArgument)
        #expect(error?.localizedDescription.contains("[1000, 1000, 1000") == true)
    }

    @Test("the same numbers in every kind of array give the same result")
    func kinds() async throws {
        let rows: [Any] = [
            [[Float(1), 2]], [[1, 2]], [[1.0, 2.0]], [[UInt8(1), 2]], [[Int16(1), 2]], [[UInt64(1), 2]],
            [[NSNumber(value: 1), NSNumber(value: 2.0)]], [[1, 2.0]] as [[Any]], [[true, 2]] as [[Any]],
            [[CGFloat(1), 2]], [[Float16(1), 2]], [[Decimal(1), 2]], [[Float?(1), 2]],
            NSArray(array: [NSArray(array: [1, 2])]), [NSArray(array: [1, 2])], NSArray(array: [[Float(1), 2]]),
            NSMutableArray(array: [[1, 2]]), [[1, 2] as Any] as Any,
            Data(elements: [Float(1), 2]), NSData(data: Data(elements: [Float(1), 2])),
            NSMutableData(data: Data(elements: [Float(1), 2])),
        ]
        let interpreter = Sample.batch.interpreter()
        let expected: [[Float]] = [[3, 6]]
        for row in rows {
            #expect(try await Sample.batch.run(row, on: interpreter) as? [[Float]] == expected, "\(type(of: row))")
        }
    }

    @Test("four levels of an image, row by row, as the bytes of the same image")
    func image() async throws {
        let bytes = (0..<192).map { UInt8($0 % 80) }
        let nested = [bytes.map(Int.init).rows(of: 3).rows(of: 8)]
        let fromArray = try await Sample.byteImage.run(nested) as? [[[[UInt8]]]]
        let fromData = try await Sample.byteImage.run(Data(bytes)) as? [[[[UInt8]]]]
        #expect(fromArray == fromData)
        #expect(fromArray?.joined().joined().joined().elementsEqual(bytes.map { $0 * 3 }) == true)
    }

    @Test("eight levels, and none")
    func ranks() async throws {
        let deep = try await Sample.rank8.run([[[[[[[[1, 2]]]]]]]], [[[[[[[[0.5, 4]]]]]]]])
        #expect(deep as? [[[[[[[[Float]]]]]]]] == [[[[[[[[1.5, 6]]]]]]]])
        #expect(try await Sample.scalar.run([2], Data(elements: [Float(0.5)])) as? [Float] == [2.5])
    }

    @Test("numbers of each declared type come through whole")
    func extremes() async throws {
        let int64 = try await Sample.int64.run([[Int64.max, .min]], [[NSNumber(value: 0), NSNumber(value: 0)]])
        #expect(int64 as? [[Int64]] == [[.max, .min]])
        #expect(
            try await Sample.int64.run([[UInt64(1) << 53 + 1, 0]], [[0, 0]]) as? [[Int64]] == [[1 << 53 + 1, 0]])
        #expect(try await Sample.divide.run([Int32.max, .min], [1.0, 1.0]) as? [Int32] == [.max, .min])
        let floats = try await Sample.subtract.run([Double.infinity, 1e-300], [0, Float.greatestFiniteMagnitude])
        #expect(floats as? [Float] == [.infinity, -.greatestFiniteMagnitude])
        let notANumber = try await Sample.subtract.run([Double.nan, 0], [0, 0]) as? [Float]
        #expect(notANumber?[0].isNaN == true)
    }

    @Test("numbers that the declared type does not have are refused, by name")
    func misfits() async throws {
        let bytes = [[[[NSNumber]]]](
            repeating: Array(repeating: Array(repeating: [1, 1, 256], count: 8), count: 8), count: 1)
        let errors: [(NSError?, String)] = await [
            (Sample.byteImage.error(bytes), "256, which does not fit UInt8"),
            (Sample.divide.error([1, 2], [Int64(1) << 31, 1]), "Input 1 has the number 2147483648"),
            (Sample.divide.error([1, 2], [1.5, 1]), "1.5, which does not fit Int32"),
            (Sample.divide.error([1, Double.nan], [1, 1]), "nan"),
            (Sample.divide.error([-Double.infinity, 1], [1, 1]), "-inf"),
            (Sample.int64.error([[UInt64.max, 0]], [[0, 0]]), "does not fit Int64"),
            (Sample.int64.error([[NSNumber(value: UInt64.max), 0]], [[0, 0]]), "does not fit Int64"),
            (Sample.batch.error([[1e300, 0]]), "1e+300, which does not fit Float"),
            (Sample.batch.error([[1, "2"] as [Any]]), "Input 0 has a String where a number is needed"),
            (Sample.batch.error([[1, Float?.none as Any] as [Any]]), "where a number is needed"),
        ]
        for (error, reason) in errors {
            #expect(error?.machineLearningCode == .invalidArgument, "\(reason)")
            #expect(error?.localizedDescription.contains(reason) == true, "\(error as Any)")
        }
    }

    @Test("ragged arrays are refused, and the interpreter runs on")
    func ragged() async throws {
        let sample = Sample.batch.with(dimensions: [3, 2])
        let interpreter = sample.interpreter()
        let arrays: [Any] = [
            [[1, 2], [3], [4, 5]], [[1, 2], [3, 4], [5, 6, 7]], [[1, 2], [], [3, 4]], [[1, 2], [3, 4], 5] as [Any],
            [[1, 2], [3, 4], [5, [6]]] as [[Any]], NSArray(array: [[1, 2], [3, 4], NSNull()]),
        ]
        for array in arrays {
            let error = await sample.error(array, on: interpreter)
            #expect(error?.machineLearningCode == .invalidArgument, "\(array)")
            #expect(error?.localizedDescription.contains("Input 0 is ragged") == true, "\(error as Any)")
        }
        let whole = try await sample.run([[1, 2], [3, 4], [5, 6]], on: interpreter)
        #expect(whole as? [[Int]] == [[3, 6], [9, 12], [15, 18]])
    }
}
