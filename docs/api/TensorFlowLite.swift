// The public interface of TensorFlowLite. Written by scripts/api; do not edit.

@_exported import HearthPlatform
public protocol Delegate : AnyObject {
    typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>
    var cDelegate: Self.CDelegate { get }
}
final public class Interpreter {
    public let options: Interpreter.Options?
    public let delegates: [any Delegate]?
    public var inputTensorCount: Int { get }
    public var outputTensorCount: Int { get }
    public var signatureKeys: [String] { get }
}
extension Interpreter {
    public struct Options : Equatable, Hashable, Sendable {
        public var threadCount: Int?
        public var isXNNPackEnabled: Bool
        public var kernelMode: Interpreter.Options.KernelMode
        public var weightCache: WeightCache?
        public var accelerator: Interpreter.Options.Accelerator
        public var acceleratorLibraryDirectory: String?
        public var logLevel: Interpreter.Options.LogLevel
        public var logHandler: LogHandler?
        public var isProfilingEnabled: Bool
        public init()
    }
}
extension Interpreter {
    public func input(at index: Int) throws -> Tensor
    public func output(at index: Int) throws -> Tensor
    public func inputDescription(at index: Int) throws -> Tensor.Description
    public func outputDescription(at index: Int) throws -> Tensor.Description
    public func withUnsafeMutableInputBytes<Result>(at index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws -> Result
    public func withUnsafeOutputBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result
}
extension Interpreter {
    @discardableResult
    public func copy<Element>(_ values: [Element], toInputAt index: Int) throws -> Tensor where Element : TensorElement
    @discardableResult
    public func copy(quantizing reals: [Float], toInputAt index: Int) throws -> Tensor
}
extension Interpreter {
    public convenience init(modelPath: String, options: Interpreter.Options? = nil, delegates: [any Delegate]? = nil) throws
    public convenience init(modelPath: String?, options: Interpreter.Options? = nil, delegates: [any Delegate]? = nil) throws
    public convenience init(modelData: Data, options: Interpreter.Options? = nil, delegates: [any Delegate]? = nil) throws
    public convenience init(model: HearthModelFile.ModelFile, options: Interpreter.Options? = nil) throws
}
extension Interpreter {
    public func allocateTensors() throws
    public func invoke() throws
    public func resetVariableTensors() throws
    public func resizeInput(at index: Int, to shape: Tensor.Shape) throws
    @discardableResult
    public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor
}
extension Interpreter {
    nonisolated(nonsending) public func invokeInBackground() async throws
}
extension Interpreter {
    public var canceller: InvocationCanceller { get }
}
extension Interpreter {
    public func profile(_ body: () throws -> Void) throws -> Profile
}
extension Interpreter {
    public func signatureRunner(with key: String) throws -> SignatureRunner
}
extension Interpreter.Options {
    public enum KernelMode : Hashable, Sendable {
        case xnnPack
        case builtIn
        case reference
    }
}
extension Interpreter.Options {
    public enum Accelerator : Hashable, Sendable {
        case cpu
        case gpu
        case npu
    }
}
extension Interpreter.Options {
    public enum LogLevel : Int, Comparable, Hashable, Sendable {
        case silent
        case error
        case warning
        case info
        public static func < (left: Interpreter.Options.LogLevel, right: Interpreter.Options.LogLevel) -> Bool
    }
}
public enum InterpreterError : Error, Equatable, Hashable, Sendable {
    public struct LoadingReason : Hashable, Sendable {
        public let text: String?
        public init(_ text: String?)
        public static func == (_: InterpreterError.LoadingReason, _: InterpreterError.LoadingReason) -> Bool
        public func hash(into hasher: inout Hasher)
    }
    case invalidTensorIndex(index: Int, maxIndex: Int)
    case invalidTensorDataCount(provided: Int, required: Int)
    case invalidTensorDataType
    case failedToLoadModel(InterpreterError.LoadingReason)
    case failedToCreateInterpreter
    case failedToResizeInputTensor(index: Int)
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case allocateTensorsRequired
    case invokeInterpreterRequired
    case tensorFlowLiteError(String)
}
extension InterpreterError {
    public static var failedToLoadModel: InterpreterError { get }
}
extension InterpreterError : CustomNSError {
    public var errorCode: Int { get }
    public var errorUserInfo: [String : Any] { get }
}
extension InterpreterError : LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { get }
    public var description: String { get }
}
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
final public class InvocationCanceller : Sendable {
    public func cancel()
}
public struct LogHandler : Sendable, Hashable {
    public init(_ handle: @escaping @Sendable (LogMessage) -> Void)
    public static func == (left: LogHandler, right: LogHandler) -> Bool
    public func hash(into hasher: inout Hasher)
}
public struct LogMessage : Hashable, Sendable {
    public let level: Interpreter.Options.LogLevel
    public let text: String
    public init(level: Interpreter.Options.LogLevel, text: String)
}
public struct OperatorTiming : Sendable, Equatable, Codable {
    public let name: String
    public let nodeIndex: Int
    public let isDelegated: Bool
    public let count: Int
    public let total: Duration
    public let minimum: Duration
    public let maximum: Duration
}
public struct PerChannelQuantization : Equatable, Hashable, Sendable {
    public let scales: [Float]
    public let zeroPoints: [Int]
    public let dimension: Int
}
public struct Profile : Sendable, Equatable, Codable {
    public let invocationCount: Int
    public let operators: [OperatorTiming]
}
public struct QuantizationParameters : Equatable, Hashable, Sendable {
    public let scale: Float
    public let zeroPoint: Int
}
public enum Runtime {
    public static var version: String { get }
}
final public class SignatureRunner {
    public let signatureKey: String
    public var inputs: [String] { get }
    public var outputs: [String] { get }
    public func allocateTensors() throws
    public func invoke(with inputs: [String : Data]) throws
}
extension SignatureRunner {
    nonisolated(nonsending) public func invokeInBackground(with inputs: [String : Data]) async throws
}
extension SignatureRunner {
    public func input(named name: String) throws -> Tensor
    public func output(named name: String) throws -> Tensor
    public func inputDescription(named name: String) throws -> Tensor.Description
    public func outputDescription(named name: String) throws -> Tensor.Description
    public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws
    public func copy(_ data: Data, toInputNamed name: String) throws
    public func withUnsafeMutableInputBytes<Result>(named name: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws -> Result
    public func withUnsafeOutputBytes<Result>(named name: String, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result
}
extension SignatureRunner {
    public func copy<Element>(_ values: [Element], toInputNamed name: String) throws where Element : TensorElement
    public func copy(quantizing reals: [Float], toInputNamed name: String) throws
}
public enum SignatureRunnerError : Error, Equatable, Hashable, Sendable {
    case invalidTensorDataCount(provided: Int, required: Int)
    case invalidTensorDataType
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case failedToCreateSignatureRunner(signatureKey: String)
    case failedToGetTensor(tensorType: String, nameInSignature: String)
    case failedToResizeInputTensor(inputName: String)
    case failedToInvokeSignature(signatureKey: String)
    case allocateTensorsRequired
}
extension SignatureRunnerError : LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { get }
    public var description: String { get }
}
public struct Tensor : Equatable, Hashable, Sendable {
    public let name: String
    public let dataType: Tensor.DataType
    public let shape: Tensor.Shape
    public let data: Data
    public let quantizationParameters: QuantizationParameters?
    public let perChannelQuantization: PerChannelQuantization?
}
extension Tensor {
    public enum DataType : Equatable, Hashable, Sendable {
        case bool
        case uInt8
        case int16
        case int32
        case int64
        case float16
        case float32
        case float64
        case int8
        case uInt16
        case uInt32
        case uInt64
        case int4
        case complex64
        case complex128
        case string
    }
}
extension Tensor {
    public func dequantizedValues() throws(InterpreterError) -> [Float]
}
extension Tensor {
    public struct Description : Equatable, Hashable, Sendable {
        public let name: String
        public let dataType: Tensor.DataType
        public let shape: Tensor.Shape
        public let quantizationParameters: QuantizationParameters?
        public let perChannelQuantization: PerChannelQuantization?
    }
}
extension Tensor {
    public struct Shape : Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
        public let rank: Int
        public let dimensions: [Int]
        public init(_ dimensions: [Int])
        public init(_ elements: Int...)
        public init(arrayLiteral elements: Int...)
    }
}
extension Tensor {
    public func values<Element>(as type: Element.Type = Element.self) throws(InterpreterError) -> [Element] where Element : TensorElement
}
extension Tensor {
    public struct Complex<Real> : Hashable, BitwiseCopyable, Sendable where Real : BinaryFloatingPoint, Real : BitwiseCopyable, Real : Sendable {
        public var real: Real
        public var imaginary: Real
        public init(real: Real, imaginary: Real = 0)
    }
}
extension Tensor.Shape {
    public func byteCount(of dataType: Tensor.DataType) -> Int?
}
extension Tensor.Complex : TensorElement {
    public static var tensorCoding: TensorElementCoding<Tensor.Complex<Real>> { get }
}
public protocol TensorElement : Sendable {
    static var tensorCoding: TensorElementCoding<Self> { get }
}
public struct TensorElementCoding<Element> : Sendable {
}
public struct TfLiteDelegate {
    public init()
}
public struct WeightCache : Hashable, Sendable {
    public let directory: String
    public let modelHash: String?
    public init(directory: String, modelHash: String? = nil) throws(InterpreterError)
    public init(directory: URL, modelHash: String? = nil) throws(InterpreterError)
}
extension Bool : TensorElement {
    public static var tensorCoding: TensorElementCoding<Bool> { get }
}
extension UInt8 : TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt8> { get }
}
extension Int8 : TensorElement {
    public static var tensorCoding: TensorElementCoding<Int8> { get }
}
extension Int16 : TensorElement {
    public static var tensorCoding: TensorElementCoding<Int16> { get }
}
extension UInt16 : TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt16> { get }
}
extension Int32 : TensorElement {
    public static var tensorCoding: TensorElementCoding<Int32> { get }
}
extension UInt32 : TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt32> { get }
}
extension Int64 : TensorElement {
    public static var tensorCoding: TensorElementCoding<Int64> { get }
}
extension UInt64 : TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt64> { get }
}
extension Float16 : TensorElement {
    public static var tensorCoding: TensorElementCoding<Float16> { get }
}
extension Float : TensorElement {
    public static var tensorCoding: TensorElementCoding<Float> { get }
}
extension Double : TensorElement {
    public static var tensorCoding: TensorElementCoding<Double> { get }
}
extension String : TensorElement {
    public static var tensorCoding: TensorElementCoding<String> { get }
}
extension Data : TensorElement {
    public static var tensorCoding: TensorElementCoding<Data> { get }
}
