// SPDX-License-Identifier: Apache-2.0
/** Commands about groups: one script does all steps of one. */
@NullMarked
package io.keyslot.client.partition.redis.group;

import org.jspecify.annotations.NullMarked;
