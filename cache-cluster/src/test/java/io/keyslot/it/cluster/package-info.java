// SPDX-License-Identifier: Apache-2.0
/** The engine {@code cluster} on real clusters. */
@NullMarked
package io.keyslot.it.cluster;

import org.jspecify.annotations.NullMarked;
