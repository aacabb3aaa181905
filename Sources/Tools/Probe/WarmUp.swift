import Foundation
import HearthModelFile
import TensorFlowLite

/// Lets the engine set itself up before the cage closes: it looks at the processor through files of the system once,
/// at the first compile in a process. A tiny model of our own (y = 3x, float32) makes it do so.
enum WarmUp {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func run() throws {
        guard let bytes = Data(base64Encoded: model, options: .ignoreUnknownCharacters) else {
            throw Failure(description: "the warm-up model is damaged")
        }
        let interpreter = try Interpreter(model: try ModelFile(ModelBytes(copying: bytes)))
        try interpreter.allocateTensors()
    }

    /// `Tests/Fixtures/models/add.tflite`, made by `Tests/Fixtures/make_models.py`.
    private static let model = """
        GAAAAFRGTDMAAA4AGAAUABAADAAIAAQADgAAABQAAAAcAAAAOAAAAJQBAAADAAAAAQAAAAQAAABs/v//GAAAAE1hZGUgZm9yIEhl
        YXJ0aCdzIHRlc3RzLgAAAAABAAAAEAAAAAwAFAAQAAwACAAEAAwAAAAQAAAAlAAAAJgAAACcAAAAAgAAAFgAAAAUAAAAAAAOABgA
        FAAQAAwACwAEAA4AAAAUAAAAAAAACxAAAAAUAAAAAQAAAOz+//8BAAAAAgAAAAIAAAAAAAAAAQAAAAAADgAUAAAAEAAMAAsABAAO
        AAAAEAAAAAAAAAsMAAAAEAAAACj///8BAAAAAQAAAAIAAAAAAAAAAAAAAAEAAAACAAAAAQAAAAAAAAADAAAAcAAAADQAAAAEAAAA
        qP///wgAAAAQAAAABgAAAG91dHB1dAAABAAAAAEAAAAIAAAACAAAAAMAAADU////CAAAABAAAAAFAAAAdHdpY2UAAAAEAAAAAQAA
        AAgAAAAIAAAAAwAAAAwADAAIAAAAAAAEAAwAAAAIAAAAEAAAAAUAAABpbnB1dAAAAAQAAAABAAAACAAAAAgAAAADAAAAAgAAABAA
        AAAEAAAA/P///wQABAAEAAAA
        """
}
