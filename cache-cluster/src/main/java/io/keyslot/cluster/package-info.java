// SPDX-License-Identifier: Apache-2.0
/** Administration of the slot map from code. */
@NullMarked
package io.keyslot.cluster;

import org.jspecify.annotations.NullMarked;
