// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/**
 * The group, or the key without one, that most calls of a slot are about.
 *
 * @param root its text, as the instances have it
 * @param calls at least so many of the slot's, in the same time
 */
public record HotRoot(String root, long calls) {}
