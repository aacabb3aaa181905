import HearthAdmin

// The file that a server writes at its first start, or that `hearth keys account create` makes.
let credentials = try AdminCredentials(serviceAccountFile: "admin-service-account.json")
let client = AdminClient(credentials)

// Large files go in parts, and go on by themselves when the connection breaks.
let uploader = FileUploader(client: client, progress: { received, _ in print("\(received) bytes are on the server") })
let upload = try uploader.upload("flowers.tflite", name: "flowers.tflite")

// To a tenth of the installations; `.all` gives it to every device, `.none` to none.
let outcome = try ModelPush(client: client).push("flowers", upload: upload, to: .release(share: 0.1))
print("version \(outcome.model.hearth?.version ?? 0)", outcome.contractChanges)
