import HearthModelFile

let model = try ModelFile(contentsOfFile: CommandLine.arguments[1])
try model.checkForLoading()

for signature in model.signatures {
    print(signature.key, signature.inputs.map(\.name), signature.outputs.map(\.name))
}
for subgraph in model.graph.subgraphs {
    print(subgraph.operators.count, "operators,", subgraph.constantByteCount, "bytes of constants")
    for tensor in subgraph.inputTensors {
        print("input", tensor.name ?? "", tensor.type, tensor.shapeSignature ?? tensor.shape)
    }
}
