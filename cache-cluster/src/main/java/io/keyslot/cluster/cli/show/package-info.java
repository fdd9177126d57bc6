// SPDX-License-Identifier: Apache-2.0
/** What is there, told once or again and again: {@code keyslot status}, {@code top}, {@code stats}, {@code groups}. */
@NullMarked
package io.keyslot.cluster.cli.show;

import org.jspecify.annotations.NullMarked;
