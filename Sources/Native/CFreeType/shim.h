#ifndef HEARTH_CFREETYPE_SHIM_H
#define HEARTH_CFREETYPE_SHIM_H

#include <ft2build.h>
#include FT_FREETYPE_H

// Macros that Swift does not import.

/// Flags for `FT_Load_Glyph` that fit shapes to the rows of pixels only, so that they are sharp and keep their widths.
static const FT_Int32 hearth_ft_render_flags = FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT;

#endif
