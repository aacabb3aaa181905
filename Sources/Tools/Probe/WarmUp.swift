import Foundation
import HearthCrypto
import HearthModelFile
import TensorFlowLite

/// Lets libraries set themselves up before the cage closes, which they do once in a process.
///
/// At its first compile the engine looks at the processor through files of the system. It takes the seeds of its random
/// numbers from `/dev/urandom`: one for RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL, one for MULTINOMIAL. A tiny model of
/// our own (y = 3x, float32, with some of these beside) makes it do so. OpenSSL reads its configuration at the first digest.
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
        _ = SHA256Hasher.hash([])
    }

    /// `Tests/Fixtures/probe/warm_up.tflite`, made by `Tests/Fixtures/make_probe_models.py`.
    private static let model = """
        GAAAAFRGTDMAAA4AGAAUABAADAAIAAQADgAAABQAAABsAAAAiAAAABQDAAADAAAABAAAAFQAAABAAAAAGAAAAAQAAADS////BAAAAAQAAAAD
        AAAA4v///wQAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAABgAIAAQABgAAAAQAAAAEAAAAAgAAABD9//8YAAAATWFkZSBmb3IgSGVhcnRoJ3Mg
        dGVzdHMuAAAAAAEAAAAQAAAADAAUABAADAAIAAQADAAAABAAAAD4AAAA/AAAAAABAAAEAAAAvAAAAHgAAAA4AAAABAAAAKL///8UAAAAAAAA
        chAAAAAUAAAAAwAAAIj9//8BAAAABgAAAAIAAAAFAAAABwAAANL///8UAAAAAAAAchAAAAAUAAAAAgAAALj9//8BAAAAAwAAAAEAAAAEAAAA
        AAAOABgAFAAQAAwACwAEAA4AAAAUAAAAAAAACxAAAAAUAAAAAQAAAPT9//8BAAAAAgAAAAIAAAAAAAAAAQAAAAAADgAUAAAAEAAMAAsABAAO
        AAAAEAAAAAAAAAsMAAAAEAAAADD+//8BAAAAAQAAAAIAAAAAAAAAAAAAAAEAAAACAAAAAQAAAAAAAAAIAAAASAEAABgBAAD0AAAA0AAAAKgA
        AABwAAAAOAAAAAQAAAB0////EAAAAAMAAAAAAAACEAAAAAUAAAB0aHJlZQAAAAAAAAAMABAADAALAAAABAAMAAAADAAAAAAAAAIQAAAABQAA
        AGRyYXduAAAAAgAAAAEAAAADAAAADAAQAAwAAAAIAAQADAAAAAwAAAACAAAAEAAAAAcAAABjaGFuY2VzAAIAAAABAAAABAAAAAwAFAAQAA8A
        CAAEAAwAAAAQAAAAAQAAAAAAAAIMAAAAAwAAAHR3bwABAAAAAQAAAKD///8IAAAAEAAAAAUAAABub2lzZQAAAAEAAAACAAAAwP///wgAAAAQ
        AAAABgAAAG91dHB1dAAAAQAAAAIAAADg////CAAAABAAAAAFAAAAdHdpY2UAAAABAAAAAgAAAAwADAAIAAAAAAAEAAwAAAAIAAAAEAAAAAUA
        AABpbnB1dAAAAAEAAAACAAAABAAAADwAAAAwAAAAIAAAAAQAAAD0////lQAAAAAAAH8MAAwACwAAAAAABAAMAAAAlAAAAAAAAH/8////BAAE
        AAQAAAA=
        """
}
