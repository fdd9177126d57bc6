// SPDX-License-Identifier: Apache-2.0

/** {@code keyslot hot}: which keys clients read most. */
@NullMarked
package io.keyslot.cluster.cli.hot;

import org.jspecify.annotations.NullMarked;
