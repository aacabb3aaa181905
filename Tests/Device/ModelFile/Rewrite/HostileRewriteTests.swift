import Testing

@testable import HearthModelFile

/// Files whose tables and vectors share bytes. A rewrite refuses them or gives a file that was read with bounds checks.
@Suite struct HostileRewriteTests {
    /// The bytes of a model, its tables by place, and a way to make one reference point elsewhere.
    private struct Victim {
        var bytes: [UInt8]
        let tables: SourceTables

        init(_ model: TestModel) throws {
            bytes = model.bytes()
            tables = try SourceTables(ModelBytes(copying: bytes))
        }

        /// Where the reference number `index` of the vector in field `id` stands.
        func slot(_ table: FlatTable, _ id: Int, _ index: Int) throws -> Int {
            try #require(try table.target(id)) + 4 + 4 * index
        }

        mutating func point(_ slot: Int, at target: Int) {
            bytes.replaceSubrange(slot..<slot + 4, with: UInt32(target - slot).littleEndianBytes)
        }

        func file() throws -> ModelFile { try ModelFile(ModelBytes(copying: bytes)) }
    }

    private func changeAll(_ file: ModelFile) throws -> ModelFile {
        try file.rewritten {
            for (number, subgraph) in file.graph.subgraphs.enumerated() {
                for tensor in subgraph.tensors.indices { $0.clearVariable(tensor: tensor, inSubgraph: number) }
                for (place, tensor) in subgraph.tensors.enumerated() {
                    $0.restateShape(ofTensor: place, inSubgraph: number, as: tensor.shape, signature: nil)
                }
                for output in subgraph.outputs.indices {
                    $0.divertOutput(output, ofSubgraph: number, toCustom: "Sink")
                }
            }
        }
    }

    @Test func tensorsThatAreOneTable() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].isVariable = true
        var victim = try Victim(model)
        let subgraph = victim.tables.subgraphs[0]
        victim.point(try victim.slot(subgraph.table, 0, 0), at: subgraph.tensors[1])
        let file = try victim.file()
        #expect(file.graph.subgraphs[0].tensors.map(\.isVariable) == [true, true])
        let changed = try changeAll(file)
        #expect(changed.graph.subgraphs[0].tensors.allSatisfy { !$0.isVariable })
        #expect(try Diversion(changed, subgraph: 0, output: 0).source == 1)
    }

    @Test func subgraphsThatAreOneTable() throws {
        var model = TestModel()
        model.subgraphs.append(model.subgraphs[0])
        model.subgraphs[0].nodes[0].largeOptions = (16, 8)
        var victim = try Victim(model)
        victim.point(try victim.slot(victim.tables.model, 2, 1), at: victim.tables.subgraphs[0].position)
        let file = try victim.file()
        let changed = try changeAll(file)
        for subgraph in 0...1 { #expect(try Diversion(changed, subgraph: subgraph, output: 0).source == 1) }
        // The one operator was adjusted once.
        let shift = changed.bytes.count - file.bytes.count
        #expect(try SourceTables(changed.bytes).absoluteOffsets().values.map { $0 } == [UInt64(16 + shift)])

        let one = try file.diverting([0], ofSubgraph: 1)
        #expect(one.graph.subgraphs[0] == file.graph.subgraphs[0])
        #expect(try Diversion(one, subgraph: 1, output: 0).source == 1)
    }

    /// Every slot of the file in turn refers to places all over it.
    @Test func referencesInEachOthersPlaces() throws {
        var model = TestModel()
        model.subgraphs[0].tensors = [.quantized("x"), .quantized("y")]
        model.subgraphs[0].nodes[0].largeOptions = (16, 8)
        model.signatures = [.init(inputs: [("in", 0)], outputs: [("out", 1)])]
        let victim = try Victim(model)
        let count = victim.bytes.count
        var readable = 0
        for slot in stride(from: 0, to: count - 3, by: 4) {
            for target in stride(from: slot + 4, to: count, by: 60) {
                var changed = victim
                changed.point(slot, at: target)
                guard let file = try? changed.file() else { continue }
                readable += 1
                do {
                    let result = try changeAll(file)
                    #expect(result.bytes.count > count)
                } catch {
                    #expect((error as? ModelFileError)?.message.contains("\n") == false)
                }
            }
        }
        #expect(readable > 50)
    }

    /// What the writer turns into narrower numbers comes from the file as it is.
    @Test(arguments: [Int32.min, -1, 0, .max]) func absurdShapes(size: Int32) throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].shape = [Int32](repeating: size, count: 7)
        let changed = try changeAll(model.file())
        #expect(
            try Diversion(changed, subgraph: 0, output: 0).bytes.shape == [Int](repeating: Int(size), count: 7) + [4])
    }

    /// Every name that would be chosen first is taken. A search that starts anew for each tensor would take long.
    @Test func takenNames() {
        let taken = (0..<1000).map { number in
            ModelGraph.Tensor(
                name: "added row \(number)", shape: [], type: .uint8, buffer: 0, isVariable: false, externalBuffer: 0
            )
        }
        var names = TensorNames(of: taken)
        #expect((0..<3).map { _ in names.unused("added row") } == (1000..<1003).map { "added row \($0)" })
        #expect(names.unused("added bytes") == "added bytes 1002")
    }

    /// The last things of the file end with its last byte; a zero there is what the padding would supply.
    @Test func offsetsThatReachTheLastByte() throws {
        let bytes = TestModel().bytes()
        for count in [bytes.count, bytes.count + 1, bytes.count + 63, bytes.count + 64] {
            let padded = bytes + [UInt8](repeating: 0, count: count - bytes.count)
            let changed = try changeAll(ModelFile(ModelBytes(copying: padded)))
            #expect((changed.bytes.count - count).isMultiple(of: 64))
            try changed.checkForLoading()
        }
    }
}
