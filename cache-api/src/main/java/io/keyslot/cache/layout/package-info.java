// SPDX-License-Identifier: Apache-2.0

/** How values are stored. */
@NullMarked
package io.keyslot.cache.layout;

import org.jspecify.annotations.NullMarked;
