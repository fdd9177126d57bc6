// SPDX-License-Identifier: Apache-2.0
/** The commands that print the current state: {@code keyslot status}, {@code top}, {@code stats}, {@code groups}. */
@NullMarked
package io.keyslot.cluster.cli.show;

import org.jspecify.annotations.NullMarked;
