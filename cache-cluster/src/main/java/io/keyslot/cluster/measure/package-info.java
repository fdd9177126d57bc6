// SPDX-License-Identifier: Apache-2.0
/** How long calls took. */
@NullMarked
package io.keyslot.cluster.measure;

import org.jspecify.annotations.NullMarked;
