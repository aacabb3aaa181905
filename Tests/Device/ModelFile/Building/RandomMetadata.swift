@testable import HearthModelFile

/// Metadata with random content of every kind that can be written. Its floats equal themselves.
struct RandomMetadata {
    private var generator: MutationTests.Generator

    init(seed: UInt64) {
        generator = MutationTests.Generator(state: seed)
    }

    mutating func next() -> ModelMetadata {
        ModelMetadata(
            name: text(), description: text(), version: text(), author: text(), license: text(),
            minimumParserVersion: text(), subgraphs: some { $0.subgraph() }, associatedFiles: some { $0.file() })
    }

    private mutating func subgraph() -> ModelMetadata.Subgraph {
        ModelMetadata.Subgraph(
            name: text(), description: text(), inputs: some { $0.tensor() }, outputs: some { $0.tensor() },
            associatedFiles: some { $0.file() }, inputProcessUnits: some { $0.unit() },
            outputProcessUnits: some { $0.unit() }, inputGroups: some { $0.group() },
            outputGroups: some { $0.group() },
            customBlocks: some { ModelMetadata.CustomBlock(name: $0.text(), bytes: $0.some { $0.number() }) })
    }

    private mutating func tensor() -> ModelMetadata.Tensor {
        ModelMetadata.Tensor(
            name: text(), description: text(), dimensionNames: some { $0.text() ?? "" },
            content: maybe { $0.content() }, processUnits: some { $0.unit() },
            stats: maybe { ModelMetadata.Stats(maximum: $0.some { $0.float() }, minimum: $0.some { $0.float() }) },
            associatedFiles: some { $0.file() })
    }

    private mutating func content() -> ModelMetadata.Content {
        ModelMetadata.Content(
            properties: properties(),
            range: maybe { random in
                let minimum: Int32 = random.number()
                let maximum: Int32 = random.number()
                return ModelMetadata.ValueRange(minimum: Int(minimum), maximum: Int(maximum))
            })
    }

    private mutating func properties() -> ModelMetadata.Properties {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .none
        case 1: return .feature
        case 2:
            let sides: [UInt32]? = maybe { [$0.number(), $0.number()] }
            return .image(
                .init(
                    colorSpace: .init(rawValue: number()), defaultWidth: sides.map { Int($0[0]) },
                    defaultHeight: sides.map { Int($0[1]) }))
        case 3:
            let index: [UInt32] = some { $0.number() }
            return .boundingBox(
                .init(
                    index: index.map(Int.init), form: .init(rawValue: number()),
                    coordinates: .init(rawValue: number())))
        default: return .audio
        }
    }

    private mutating func unit() -> ModelMetadata.ProcessUnit {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .normalization(mean: some { $0.float() }, standardDeviation: some { $0.float() })
        case 1: .scoreCalibration(transformation: .init(rawValue: number()), defaultScore: float())
        case 2: .scoreThresholding(float())
        default: .other(0)
        }
    }

    private mutating func group() -> ModelMetadata.TensorGroup {
        ModelMetadata.TensorGroup(name: text(), tensorNames: some { $0.text() ?? "" })
    }

    private mutating func file() -> ModelMetadata.AssociatedFile {
        ModelMetadata.AssociatedFile(
            name: text(), description: text(), kind: .init(rawValue: number()), locale: text(), version: text())
    }

    // MARK: Values

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &generator) ? make(&self) : nil
    }

    private mutating func some<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
    }

    private mutating func text() -> String? {
        ["", "labels.txt", "gr\u{FC}n \u{1F33B}", "a\0b\nc", String(repeating: "long ", count: 40), nil, nil, nil]
            .randomElement(using: &generator) ?? nil
    }

    private mutating func number<Value: FixedWidthInteger>() -> Value {
        let edges: [Value] = [.min, .max, 0, 1, 2, 3, 4, 5, 6]
        return edges.randomElement(using: &generator) ?? 0
    }

    private mutating func float() -> Float {
        [0, -0.0, 127.5, .leastNonzeroMagnitude, -.infinity, .greatestFiniteMagnitude].randomElement(using: &generator)
            ?? 0
    }
}
