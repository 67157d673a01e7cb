# What checks/web and checks/windows share; they source it in the folder of the repository.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}

# Poses in the castle whose pictures are compared: eye in level coordinates, heading and elevation in degrees. None looks at far
# surfaces that nearly touch: OpenGL has less depth.
SIZE=640x360
POSES=(0,1.65,27.6,0,0 60,45,60,45,-30 10,3,10,120,-5 -14,9,24,-40,-20 0,1.65,14,180,5)

# Installs those packages that are missing (Debian).
install_missing() {
    dpkg -s "$@" > /dev/null 2>&1 && return
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# What checks/cargo_for needs for a target that rustup cannot add; a linker may be one of the packages more.
install_toolchain_for() {
    rustup target add "$1" 2> /dev/null || install_missing rustc-web cargo-web rust-web-src "${@:2}"
}

# Draws every pose: draw_poses PREFIX BACKEND PROGRAM... writes PREFIX-0.png and so on.
draw_poses() {
    local prefix=$1 backend=$2 number
    shift 2
    for number in "${!POSES[@]}"; do
        "$@" render builtin:castle "--camera=${POSES[number]}" --size "$SIZE" --samples 1 --backend "$backend" -o "$prefix-$number.png"
    done
}

# The program of NODETREE, or one that is built; and what compares pictures as the tests do.
build_desktop() {
    if [ -z "${NODETREE:-}" ]; then
        cargo build --release
        NODETREE=$CARGO_TARGET_DIR/release/nodetree
    fi
    cargo build --no-default-features --example compare_pictures
    COMPARE=$CARGO_TARGET_DIR/debug/examples/compare_pictures
}
