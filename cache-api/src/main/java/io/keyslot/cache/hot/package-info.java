// SPDX-License-Identifier: Apache-2.0

/** Which keys of a cache this process reads most. */
@NullMarked
package io.keyslot.cache.hot;

import org.jspecify.annotations.NullMarked;
