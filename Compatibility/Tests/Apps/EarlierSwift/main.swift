import Firebase

// Usage: EarlierSwiftApp
// Runs the model that it was shipped with, and reads its output as code did before Swift 5.

FirebaseApp.configure()

guard let modelPath = Bundle.main.path(forResource: "model", ofType: "tflite") else {
    fatalError("the app's own model is missing")
}
let interpreter = ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: modelPath))
let ioOptions = ModelInputOutputOptions()
let inputs = ModelInputs()
do {
    try ioOptions.setInputFormat(index: 0, type: .float32, dimensions: [1, 32, 32, 3])
    try ioOptions.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    try inputs.addInput(Data(count: 32 * 32 * 3 * 4))
} catch let error as NSError {
    fatalError("Failed to set the formats: \(error.localizedDescription)")
}

interpreter.run(inputs: inputs, options: ioOptions) { outputs, error in
    guard error == nil, let outputs = outputs else { fatalError("Failed to run: \(String(describing: error))") }
    let output = try? outputs.output(index: 0) as? [[NSNumber]]
    // `try?` put a second optional around the first.
    let probabilities = output??[0]
    print("numbers \(probabilities?.count ?? 0)")
    exit(0)
}

RunLoop.main.run()
