# The engine LiteRT that the scripts install: its version, and for each processor the wheel that contains it and the hashes of
# both. Sourced by scripts/bootstrap and scripts/arm64.

readonly litert_version=2.3.0
readonly -A litert_platforms=(
    [x86_64]=manylinux_2_27_x86_64
    [aarch64]=manylinux_2_27_aarch64
)
readonly -A litert_wheel_hashes=(
    [x86_64]=1f15078a6725d2357d9de9221664c29afa0545d807559c5f7199ce5e40b96b23
    [aarch64]=853fc608f96da87bd5f3458465dfb9abbf18d5ae6b94eceacead407146f175ae
)
readonly -A litert_library_hashes=(
    [x86_64]=eec47eb35e2924b3166015887e652a58edc9af823ae38e02bf83bef2548300bb
    [aarch64]=b57687dc234d2b8b0598aef5a9c961ed24263df8f8b3f56adbee1cff618e544b
)
