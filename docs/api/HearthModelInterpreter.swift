// The public interface of HearthModelInterpreter. Written by scripts/api; do not edit.

@_exported import HearthModelSource
public let MachineLearningErrorDomain: String
public struct MachineLearningErrorDomainCode : RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int)
    public static let unknown: MachineLearningErrorDomainCode
    public static let invalidArgument: MachineLearningErrorDomainCode
    public static let notFound: MachineLearningErrorDomainCode
    public static let failedPrecondition: MachineLearningErrorDomainCode
    public static let outOfRange: MachineLearningErrorDomainCode
    public static let `internal`: MachineLearningErrorDomainCode
}
public enum ModelElementType : UInt, Sendable {
    case unknown
    case float32
    case int32
    case uInt8
    case int64
}
final public class ModelInputOutputOptions : NSObject, Sendable {
    override public init()
    public func setInputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws
    public func setOutputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws
}
final public class ModelInputs : NSObject, Sendable {
    override public init()
    public func addInput(_ input: Any) throws
}
final public class ModelInterpreter : NSObject, Sendable {
    public var callbackQueue: DispatchQueue
    public var isStatsCollectionEnabled: Bool
    public class func modelInterpreter(localModel: HearthModelSource.CustomLocalModel) -> ModelInterpreter
    public class func modelInterpreter(remoteModel: HearthModelSource.CustomRemoteModel) -> ModelInterpreter
    public func run(inputs: ModelInputs, options: ModelInputOutputOptions, completion: @escaping ModelInterpreterRunCallback)
    public func inputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback)
    public func outputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback)
}
extension ModelInterpreter {
    @discardableResult
    public func run(inputs: ModelInputs, options: ModelInputOutputOptions) async throws -> ModelOutputs
    @discardableResult
    public func inputIndex(opName: String) async throws -> NSNumber
    @discardableResult
    public func outputIndex(opName: String) async throws -> NSNumber
}
public typealias ModelInterpreterInputOutputOpIndexCallback = (NSNumber?, (any Error)?) -> Void
public typealias ModelInterpreterRunCallback = (ModelOutputs?, (any Error)?) -> Void
final public class ModelOutputs : NSObject, Sendable {
    public func output(index: UInt) throws -> Any
}
public var MachineLearningErrorDomain: String
