import HearthCatalog
import HearthWire
import Testing

@Suite("Contract comparison") struct ContractComparisonTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout ModelContract) -> Void
        var lines: [String]

        init(_ name: String, _ lines: [String], _ change: @escaping @Sendable (inout ModelContract) -> Void) {
            testDescription = name
            self.change = change
            self.lines = lines
        }
    }

    private static var base: ModelContract {
        var contract = Sample.contract
        contract.labelCount = 1001
        contract.labelsSHA256 = "aa"
        return contract
    }

    @Test(
        "What an app would notice, one line each",
        arguments: [
            Case("nothing", []) { _ in },
            Case("operators", []) { $0.operators = [.init(name: "ADD", count: 1)] },
            Case("title and the like", []) { contract in
                contract.title = "t"
                contract.summary = "s"
                contract.author = "a"
                contract.license = "l"
            },
            Case("input type", ["type of input 0 is float32, was uint8"]) { $0.inputs[0].type = "float32" },
            Case("input name", ["name of input 0 is x, was image"]) { $0.inputs[0].name = "x" },
            Case("input shape", ["shape of input 0 is 1x?x?x3, was 1x224x224x3"]) {
                $0.inputs[0].shape = [1, -1, -1, 3]
            },
            Case("scale", ["quantization of input 0 is scale 0.25 zero point 128, was scale 0.5 zero point 128"]) {
                $0.inputs[0].scale = 0.25
            },
            Case("zero point", ["quantization of input 0 is scale 0.5 zero point 0, was scale 0.5 zero point 128"]) {
                $0.inputs[0].zeroPoint = nil
            },
            Case("no quantization", ["quantization of input 0 is none, was scale 0.5 zero point 128"]) {
                $0.inputs[0].scale = nil
            },
            Case("output", ["shape of output 0 is scalar, was 1x1001"]) { $0.outputs[0].shape = [] },
            Case("another output", ["number of outputs is 2, was 1"]) {
                $0.outputs.append(.init(name: "boxes", type: "float32", shape: [1, 4]))
            },
            Case("no input", ["number of inputs is 0, was 1"]) { $0.inputs = [] },
            Case("signatures", ["signature 'serving_default' is gone", "signature 'a' is new", "signature 'b' is new"])
            {
                $0.signatures = ["b", "a"]
            },
            Case("label count", ["number of labels is 5, was 1001"]) { contract in
                contract.labelCount = 5
                contract.labelsSHA256 = "bb"
            },
            Case("no labels", ["number of labels is none, was 1001"]) { contract in
                contract.labelCount = nil
                contract.labelsSHA256 = nil
            },
            Case("other labels", ["labels are different, or in another order"]) { $0.labelsSHA256 = "bb" },
            Case("labels not hashed", []) { $0.labelsSHA256 = nil },
            Case("two things", ["type of input 0 is int8, was uint8", "type of output 0 is int8, was float32"]) {
                $0.inputs[0].type = "int8"
                $0.outputs[0].type = "int8"
            },
        ])
    func differences(change: Case) {
        var contract = Self.base
        change.change(&contract)
        #expect(ContractComparison.differences(from: Self.base, to: contract) == change.lines)
        #expect(ContractComparison.differences(from: contract, to: Self.base).isEmpty == change.lines.isEmpty)
    }

    @Test("A difference has its place and both values; what is gone or new has one")
    func details() throws {
        var new = Self.base
        new.outputs[0].shape = [1, 5]
        new.signatures = ["a\n"]
        let found = ContractComparison.details(from: Self.base, to: new)
        #expect(found.map(\.place) == [.output, .signature, .signature])
        #expect(found.map(\.before) == ["1x1001", "serving_default", nil])
        #expect(found.map(\.after) == ["1x5", nil, "a?"])
        #expect(found.map(\.text) == ContractComparison.differences(from: Self.base, to: new))
    }

    @Test("Operators and metadata are listed apart, because apps do not notice them")
    func otherDetails() {
        var (old, new) = (Self.base, Self.base)
        old.operators = [.init(name: "ADD", count: 1), .init(name: "CONV_2D", count: 3), .init(name: "MUL", count: 1)]
        new.operators = [.init(name: "CONV_2D", count: 4), .init(name: "MUL", count: 1), .init(name: "EXP", count: 1)]
        new.author = "somebody\nelse"
        let found = ContractComparison.otherDetails(from: old, to: new)
        #expect(
            found.map(\.text) == [
                "operator 'ADD' is gone", "number of CONV_2D operators is 4, was 3", "operator 'EXP' is new",
                "author is somebody?else, was none",
            ])
        #expect(found.map(\.place) == [.operators, .operators, .operators, .metadata])
        #expect(ContractComparison.details(from: old, to: new).isEmpty)
    }

    @Test("The order of signatures says nothing")
    func signatureOrder() {
        var old = Self.base
        var new = Self.base
        old.signatures = ["a", "b"]
        new.signatures = ["b", "a"]
        #expect(ContractComparison.differences(from: old, to: new).isEmpty)
    }

    @Test("Names from hostile files are cut and stay on their line")
    func hostileNames() {
        var contract = Self.base
        contract.inputs[0].name = "a\nb\u{202E}c\u{2028}\0" + String(repeating: "x", count: 1_000_000)
        contract.inputs[0].shape = Array(repeating: 1, count: 10_000)
        contract.signatures = ["\r\n"]
        let lines = ContractComparison.differences(from: Self.base, to: contract)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { line in line.utf8.count < 300 && !line.contains(where: \.isNewline) })
        #expect(lines[0] == "name of input 0 is a?b?c??\(String(repeating: "x", count: 53))…, was image")
    }

    @Test("A model with thousands of other tensors gives a list that ends")
    func many() {
        var old = Self.base
        var new = Self.base
        old.inputs = (0..<2000).map { .init(name: "\($0)", type: "int8", shape: [1]) }
        new.inputs = (0..<2000).map { .init(name: "\($0)", type: "uint8", shape: [1]) }
        let lines = ContractComparison.differences(from: old, to: new)
        #expect(lines.count == 51 && lines.last == "and 1950 more differences")
    }
}
