// Types that another library of an app may declare. A file that imports both names them without a prefix as long as
// Firebase declares nothing of the name.

public struct Interpreter { public init() {} }
public struct Tensor { public init() {} }
public struct Delegate { public init() {} }
public struct Runtime { public init() {} }
public struct Object { public init() {} }
public struct VisionImage { public init() {} }
public struct Box { public init() {} }
public struct ModelState { public init() {} }
public struct DeliverySettings { public init() {} }
