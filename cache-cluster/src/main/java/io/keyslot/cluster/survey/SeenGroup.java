// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

/**
 * What is stored with one root: the entries of a group, its aggregates, and what it knows of itself. An entry that is in no group is
 * one of its own.
 *
 * @param root in which all its keys agree
 * @param slot of the root
 * @param keys how many were seen
 * @param bytes that they take, at least
 * @param error by how much that may be too low, since it was forgotten once
 */
public record SeenGroup(String root, int slot, long keys, long bytes, long error) {}
