import HearthModelFile
import Testing

/// Rules R8 to R10 and R12 to R16, and the two numbers of an operator. Each failing model here crashed the engine before the rule.
@Suite struct OperatorRuleTests {
    private func model(_ node: TestModel.Node, outputs: Int32 = 1) -> TestModel {
        var model = TestModel()
        model.subgraphs[0].tensors = (0..<2 + outputs).map { TestModel.Tensor(name: "t\($0)") }
        model.subgraphs[0].inputs = [0, 1]
        model.subgraphs[0].outputs = Array(2..<2 + outputs)
        model.subgraphs[0].nodes = [node]
        return model
    }

    private func error(_ model: TestModel) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
    }

    /// The kernels take the type from the options, and the engine the size of the memory from the file.
    @Test func theTypeOfAResultIsThatOfTheOptions() throws {
        for (code, kind) in [(Int32(77), UInt8(55)), (56, 40), (79, 57)] {
            for (type, number) in [(ElementType.int32, Int8(2)), (.int64, 4)] {
                let axis = TestModel.Tensor(shape: [], type: .int32, data: [0, 0, 0, 0])
                func model(_ number: Int8?) -> TestModel {
                    self.model(
                        code, [TestModel.Tensor()] + (code == 77 ? [] : [axis]),
                        [TestModel.Tensor(shape: [2], type: type)],
                        options: (kind, number.map { [0: .integer($0)] } ?? [:]))
                }
                try model(number).file().checkForLoading()
                #expect(error(model(6 - number))?.message.contains("in field 0 of its options") == true)
                #expect(error(model(nil))?.code == .malformed)
            }
        }
    }

    /// Kernels copy all bytes of such a constant into memory for its shape.
    @Test func constantsHaveAsManyBytesAsTheirShape() throws {
        func model(_ count: Int) -> TestModel {
            self.model(
                70,
                [
                    TestModel.Tensor(shape: [2], data: [UInt8](repeating: 0, count: count)),
                    TestModel.Tensor(shape: [1], type: .int32, data: [0, 0, 0, 0]),
                ], [TestModel.Tensor(shape: [1, 2])])
        }
        try model(8).file().checkForLoading()
        let message = error(model(96))?.message
        #expect(message?.contains("has 96 bytes, but its shape needs 8") == true, "\(message ?? "")")
    }

    /// A model with one operator on tensors of these types and shapes, inputs first; nil is an input left out.
    private func model(
        _ code: Int32, _ inputs: [TestModel.Tensor?], _ outputs: [TestModel.Tensor],
        options: (type: UInt8, table: [Int: FlatField])? = nil
    ) -> TestModel {
        var model = TestModel()
        let present = inputs.compactMap(\.self)
        model.subgraphs[0].tensors = (present + outputs).enumerated().map { number, tensor in
            var tensor = tensor
            tensor.name = "t\(number)"
            return tensor
        }
        let places = Array(Int32(0)..<Int32(present.count))
        model.subgraphs[0].inputs = places.filter { present[Int($0)].data == nil }
        model.subgraphs[0].outputs = places.count < present.count + outputs.count ? [Int32(present.count)] : [0]
        var next = places.makeIterator()
        model.subgraphs[0].nodes = [
            .init(
                code: code, inputs: inputs.map { $0 == nil ? -1 : next.next()! },
                outputs: Array(Int32(present.count)..<Int32(present.count + outputs.count)), options: options)
        ]
        return model
    }

    private static func tensor(_ type: ElementType = .float32, _ shape: [Int32] = [1, 4]) -> TestModel.Tensor {
        TestModel.Tensor(shape: shape, type: type)
    }

    private static func quantized(_ type: ElementType, _ shape: [Int32] = [1, 4]) -> TestModel.Tensor {
        TestModel.Tensor(shape: shape, type: type, scales: [0.5], zeroPoints: [0])
    }

    private static let image = tensor(.float32, [1, 4, 4, 2])
    private static let bias = tensor(.float32, [2])
    private static var strides: [Int: FlatField] { [1: .integer(Int32(1)), 2: .integer(Int32(1))] }

    @Test func r8AcceptsMissingBiases() throws {
        let strides = Self.strides
        for model in [
            model(9, [Self.tensor(), Self.tensor(.float32, [2, 4]), nil], [Self.tensor(.float32, [1, 2])]),
            model(9, [Self.tensor(), Self.tensor(.float32, [2, 4])], [Self.tensor(.float32, [1, 2])]),
            model(3, [Self.image, Self.image, nil], [Self.image], options: (1, strides)),
            model(4, [Self.image, Self.image, nil], [Self.image], options: (2, strides)),
            model(
                67, [Self.tensor(.int32, [4]), Self.image, Self.image, nil], [Self.image], options: (49, strides)),
            model(32, [nil], [Self.tensor()]),
        ] {
            try model.file().checkForLoading()
        }
    }

    @Test(arguments: ["float32", "uint8", "int8"])
    func r8RefusesADepthwiseConvolutionWhoseListHasNoBias(type: String) {
        let (activation, weights): (ElementType, ElementType) =
            switch type {
            case "uint8": (.uint8, .uint8)
            case "int8": (.int8, .int8)
            default: (.float32, .float32)
            }
        let image = Self.quantized(activation, [1, 4, 4, 2])
        let error = error(
            model(4, [image, Self.quantized(weights, [1, 3, 3, 2])], [image], options: (2, Self.strides)))
        #expect(error?.code == .malformed)
        #expect(
            error?.message.contains(
                "operator 0 (DEPTHWISE_CONV_2D) of subgraph 0 has 2 inputs and 1 outputs; it needs 3 and 1") == true,
            "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (0, "ADD", [0, -1]), (19, "RELU", [-1]), (22, "RESHAPE", [0, -1]), (2, "CONCATENATION", [0, 1, -1]),
            (9, "FULLY_CONNECTED", [0, -1]),
        ] as [(Int32, String, [Int32])])
    func r8RefusesMissingOperands(code: Int32, name: String, inputs: [Int32]) {
        let error = error(model(.init(code: code, inputs: inputs, outputs: [2])))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("operator 0 (\(name)) of subgraph 0 lacks its input") == true)
    }

    // MARK: R14

    @Test(arguments: [ElementType.float32, .complex64, .float64, .int32, .string])
    func r14RefusesAProductOfMatricesWithAnotherTypeThanItsFactors(type: ElementType) throws {
        let factor = Self.quantized(.int16, [2, 4])
        try model(126, [factor, factor], [factor]).file().checkForLoading()
        let error = error(model(126, [factor, factor], [Self.tensor(type, [2, 4])]))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("operator 0 (BATCH_MATMUL) of subgraph 0") == true)
        #expect(error?.message.contains("\(type)") == true && error?.message.contains("output 0") == true)
    }

    @Test func r14TypesThatDisagreeOrThatTheEngineLacksAreNotSupported() {
        let mixed = error(model(0, [Self.tensor(), Self.tensor(.int32)], [Self.tensor()]))
        #expect(mixed?.code == .unsupported)
        #expect(mixed?.message.contains("has float32 as input 0 but int32 as input 1") == true)
        let lacking = error(model(19, [Self.tensor(.int64)], [Self.tensor(.int64)]))
        #expect(lacking?.code == .unsupported)
        #expect(lacking?.message.contains("cannot use int64, only float32, float16,") == true)
    }

    @Test func r14ASumOfQuantizedSumsMayPassForFloats() throws {
        let quantized = Self.quantized(.uint8)
        var passing = quantized
        passing.type = .float32
        try model(0, [quantized, quantized], [passing]).file().checkForLoading()
        try model(0, [passing, quantized], [quantized]).file().checkForLoading()
        #expect(error(model(0, [quantized, quantized], [Self.tensor(.int64)]))?.code != nil)
    }

    @Test func r14ShapesOfOperandsAreHeldToTheirBounds() throws {
        let shape = { (count: Int32) in
            self.model(22, [Self.tensor(), Self.tensor(.int32, [count])], [Self.tensor()])
        }
        try shape(8).file().checkForLoading()
        #expect(
            error(shape(9))?.message.contains("(RESHAPE) of subgraph 0 has a tensor of 9 elements as input 1") == true)
        let rank = error(
            model(4, [Self.tensor(), Self.image, Self.bias], [Self.image], options: (2, Self.strides)))
        #expect(rank?.message.contains("has a tensor of 2 dimensions as input 0") == true)
        let pair = { (second: [Int32]) in
            self.model(156, [Self.tensor(), Self.tensor(.float32, second)], [Self.tensor()])
        }
        try pair([1, 4]).file().checkForLoading()
        #expect(error(pair([1, 5]))?.message.contains("has [1, 4] elements as input 0 but [1, 5] as input 1") == true)
    }

    @Test func r14SeveralScalesAreForWeightsOnly() throws {
        var channels = Self.quantized(.int8, [1, 4])
        (channels.scales, channels.zeroPoints, channels.dimension) = ([1, 1, 1, 1], [0, 0, 0, 0], 1)
        let plain = Self.quantized(.int8)
        try model(0, [plain, plain], [plain]).file().checkForLoading()
        let sum = error(model(0, [channels, plain], [plain]))
        #expect(sum?.code == .malformed)
        #expect(sum?.message.contains("has several scales for one tensor as input 0") == true)
        (channels.shape, channels.dimension) = ([4, 4], 0)
        try model(9, [plain, channels], [plain]).file().checkForLoading()
        let comparison = error(model(58, [Self.tensor(.int8), plain], [Self.tensor(.bool)]))
        #expect(comparison?.message.contains("(LESS) of subgraph 0 has int8 without a scale as input 0") == true)
    }

    @Test func r11ComparisonsOf8BitValuesHaveScalesBelowOne() throws {
        let comparison = { (scale: Float) in
            var operand = Self.quantized(.int8)
            operand.scales = [scale]
            return self.model(58, [Self.quantized(.int8), operand], [Self.tensor(.bool)])
        }
        try comparison(1 - Float.ulpOfOne).file().checkForLoading()
        let error = error(comparison(1))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("(LESS) of subgraph 0 compares 8-bit values with a scale of 1.0") == true)
    }

    @Test func r11SquaresFitTheirScale() throws {
        let square = { (scale: Float) in
            var operand = Self.quantized(.int8)
            operand.scales = [scale]
            return self.model(99, [operand, operand], [Self.quantized(.int8)])
        }
        // (2 x 45)^2 is below 16384 x 0.5, (2 x 46)^2 above.
        try square(45).file().checkForLoading()
        #expect(error(square(46))?.message.contains("far below its input scale (46.0)") == true)
    }

    @Test func r14NumbersInOptionsAndConstantsAreWhatKernelsCanCalculateWith() throws {
        let block = { (size: Int32) in
            self.model(5, [Self.image], [Self.image], options: (94, [0: .integer(size)]))
        }
        try block(1).file().checkForLoading()
        for size in [0, -1, Int32.min] {
            #expect(error(block(size))?.message.contains("has \(size) in field 0 of its options") == true)
        }
        #expect(error(model(5, [Self.image], [Self.image]))?.message.contains("has 0 in field 0") == true)
        let resizing = { (height: UInt8) in
            var size = Self.tensor(.int32, [2])
            size.data = [height, 0, 0, 0, 8, 0, 0, 0]
            return self.model(97, [Self.image, size], [Self.image])
        }
        try resizing(1).file().checkForLoading()
        #expect(error(resizing(0))?.message.contains("has a number that is not above 0 as input 1") == true)
    }

    // MARK: R15, R16

    @Test func r15BranchesGiveAndTakeWhatTheirOperatorDoes() throws {
        let branch = { (type: ElementType) in
            var model = self.model(
                118, [Self.tensor(.bool, []), Self.tensor()], [Self.tensor()],
                options: (92, [0: .integer(Int32(1)), 1: .integer(Int32(1))]))
            model.subgraphs.append(TestModel().subgraphs[0])
            model.subgraphs[1].tensors[1].type = type
            model.subgraphs[1].nodes[0].code = 53
            return model
        }
        try branch(.float32).file().checkForLoading()
        let error = error(branch(.int32))
        #expect(error?.code == .malformed)
        #expect(
            error?.message.contains("(IF) of subgraph 0 and subgraph 1, which it runs, have different types") == true)
    }

    @Test func r16SumsByShiftsHaveOperandsOfOneShape() throws {
        let sum = { (length: Int32, scales: [Float], options: [Int: FlatField]?) in
            let operands = zip([4, length, 4], scales).map { length, scale in
                var operand = Self.tensor(.int16, [length])
                operand.scales = [scale]
                operand.zeroPoints = [0]
                return operand
            }
            return self.model(0, Array(operands[..<2]), [operands[2]], options: options.map { (11, $0) })
        }
        let powers: [Float] = [0.5, 1, 0.25]
        try sum(4, powers, [:]).file().checkForLoading()
        try sum(1, [0.5, 1, 0.3], [:]).file().checkForLoading()
        try sum(1, powers, [1: .integer(UInt8(0))]).file().checkForLoading()
        try sum(1, powers, nil).file().checkForLoading()
        #expect(error(sum(1, powers, [:]))?.message.contains("(ADD) of subgraph 0 has shapes") == true)
        #expect(error(sum(1, powers, [1: .integer(UInt8(1))]))?.code == .malformed)
        var open = sum(1, powers, [:])
        open.subgraphs[0].tensors[0].shapeSignature = [-1]
        #expect(error(open)?.code == .malformed)
    }

    @Test func r16ConstantShapesCanBeBroadcast() throws {
        let shapes = { (second: [UInt8]) in
            let pair = [[1, 0, 0, 0, 4, 0, 0, 0], second].map { data in
                var shape = Self.tensor(.int32, [Int32(data.count / 4)])
                shape.data = data
                return shape
            }
            return self.model(145, pair, [Self.tensor(.int32, [2])])
        }
        try shapes([7, 0, 0, 0, 4, 0, 0, 0]).file().checkForLoading()
        try shapes([1, 0, 0, 0]).file().checkForLoading()
        #expect(error(shapes([5, 0, 0, 0]))?.message.contains("(BROADCAST_ARGS) of subgraph 0 has shapes") == true)
    }

    @Test func r16ConstantIndicesOfSparseLookupsLieInsideOfTheirShape() throws {
        let lookup = { (indices: [Int32], width: Int32, lengths: [Int32]) in
            var place = Self.tensor(.int32, [2, width])
            if !indices.isEmpty { place.data = indices.flatMap(\.littleEndianBytes) }
            var shape = Self.tensor(.int32, [Int32(lengths.count)])
            shape.data = lengths.flatMap(\.littleEndianBytes)
            return self.model(
                33, [Self.tensor(.int32, [2]), place, shape, Self.bias, Self.tensor(.float32, [3, 4])], [Self.tensor()])
        }
        // The last number of an index is not used.
        try lookup([0, 0, 2, 9], 2, [3, 2]).file().checkForLoading()
        try lookup([], 2, [3, 2]).file().checkForLoading()
        for (indices, width, lengths) in [
            ([0, 0, 3, 0], 2, [3, 2]), ([-1, 0, 0, 0], 2, [3, 2]), ([0, 0, 0, 0], 2, [3]), ([], 2, [-3, 2]),
            ([], 0, [3, 2]),
        ] as [([Int32], Int32, [Int32])] {
            #expect(
                error(lookup(indices, width, lengths))?.message.contains(
                    "(EMBEDDING_LOOKUP_SPARSE) of subgraph 0 has shapes") == true)
        }
    }

    @Test func r16DiagonalsFitTheirMatrix() throws {
        let diagonal = { (shape: [Int32]) in
            self.model(
                115, [Self.tensor(.float32, [3, 4, 2]), Self.tensor(.float32, shape)],
                [Self.tensor(.float32, [3, 4, 2])])
        }
        try diagonal([3, 2]).file().checkForLoading()
        for shape in [[2], [3, 4], [3, 1], [1, 2]] as [[Int32]] {
            #expect(error(diagonal(shape))?.message.contains("(MATRIX_SET_DIAG) of subgraph 0 has shapes") == true)
        }
    }

    @Test func r9SplitsSayIntoHowManyParts() throws {
        let split = { (code: Int32, type: UInt8, count: Int32) in
            let axis = Self.tensor(.int32, [])
            let operands = code == 49 ? [axis, Self.tensor()] : [Self.tensor(), Self.tensor(.int32, [2]), axis]
            return self.model(
                code, operands, [Self.tensor(), Self.tensor()], options: (type, [0: .integer(count)]))
        }
        try split(49, 35, 2).file().checkForLoading()
        try split(102, 79, 2).file().checkForLoading()
        for broken in [split(49, 35, 3), split(49, 28, 2), split(49, 79, 2), split(102, 35, 2)] {
            let error = error(broken)
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("has no number of parts") == true)
        }
        #expect(error(model(.init(code: 49, inputs: [0, 1], outputs: [2])))?.code == .malformed)
    }

    @Test(
        arguments: [
            (158, [0], 0, "(SIGN) of subgraph 0 has 1 inputs and 0 outputs; it needs 1 and 1"),
            (45, [0, 1], 1, "(STRIDED_SLICE) of subgraph 0 has 2 inputs and 1 outputs; it needs 4 and 1"),
            (65, [0, 1], 1, "(SLICE)"), (126, [0], 1, "(BATCH_MATMUL)"), (143, [0], 0, "(READ_VARIABLE)"),
            (144, [0], 0, "(ASSIGN_VARIABLE)"), (48, [0, 1], 1, "(TOPK_V2)"), (2, [], 1, "(CONCATENATION)"),
        ] as [(Int32, [Int32], Int32, String)])
    func r10RefusesOperatorsThatLackOperands(code: Int32, inputs: [Int32], outputs: Int32, text: String) {
        let error = error(counting(code, inputs, outputs))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [[1], [], [0, 3]] as [[Int32]]) func r12HandlesAreResources(shape: [Int32]) throws {
        var handle = counting(142, [], 1)
        handle.subgraphs[0].tensors[2] = .init(name: "handle", shape: shape, type: .resource)
        try handle.file().checkForLoading()
        handle.subgraphs[0].tensors[2].type = .int32
        let error = error(handle)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("(VAR_HANDLE) of subgraph 0 makes a handle, but tensor 2 'handle'") == true)
    }

    @Test(arguments: [1, 12, 17] as [Int32]) func r13PoolingWindowsCoverSomething(code: Int32) throws {
        let pooling = { (width: Int32, height: Int32) in
            self.model(
                code, [Self.image], [Self.image],
                options: (5, Self.strides.merging([3: .integer(width), 4: .integer(height)]) { $1 }))
        }
        try pooling(1, 2).file().checkForLoading()
        for (width, height) in [(0, 1), (1, 0), (1, .min), (-1, 1)] as [(Int32, Int32)] {
            let error = error(pooling(width, height))
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("has a window of \(width) x \(height)") == true)
        }
    }

    private func counting(_ code: Int32, _ inputs: [Int32], _ outputs: Int32) -> TestModel {
        var model = model(.init(code: code, inputs: inputs, outputs: Array(2..<2 + outputs)), outputs: outputs)
        // The signature-less engine wants an output.
        if outputs == 0 { model.subgraphs[0].outputs = [0] }
        return model
    }

    @Test(arguments: [(41, 0), (0, 41), (41, 41), (127, 150)] as [(Int8, Int32)])
    func oldAndNewNumbersOfAnOperatorMayAgree(old: Int8, new: Int32) throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = new
        model.subgraphs[0].nodes[0].oldCode = old
        #expect(try model.file().graph.subgraphs[0].operators[0].builtinCode == max(Int(old), Int(new)))
    }

    @Test(arguments: [(41, 49), (49, 41), (126, 150)] as [(Int8, Int32)])
    func contradictoryNumbersOfAnOperatorAreRefused(old: Int8, new: Int32) {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = new
        model.subgraphs[0].nodes[0].oldCode = old
        let error = error(model)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("has two numbers") == true)
    }
}
